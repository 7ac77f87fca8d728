/** Larger than any honest answer. Counted after decompression. */
const BODY_LIMIT = 1024 * 1024;

/** What one call brought: its status and JSON body, or why there is none. */
export type Answer = { ok: true; status: number; body: unknown } | { ok: false; reason: string };

/** What went wrong on the way, by its code: a message could quote the request. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if (error.name === "TimeoutError") return "it took too long";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The one way out to the providers. arctic's own would follow a redirect, secret and code included, wait for ever, and
 * read whatever comes.
 */
export async function ask(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const { status } = response;
    const text = await readText(response);
    if (text === undefined) return { ok: false, reason: "the answer is too large" };
    const body = parse(text);
    return body === undefined
      ? { ok: false, reason: `the answer is not JSON, and its status is ${status}` }
      : { ok: true, status, body };
  } catch (error) {
    return { ok: false, reason: causeOf(error) };
  }
}
