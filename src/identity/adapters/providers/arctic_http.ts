/** Size limit of an answer, after decompression. */
const BODY_LIMIT = 1024 * 1024;

/** The outcome of one call: its status and JSON body, or the reason of its failure. */
export type Answer = { ok: true; status: number; body: unknown } | { ok: false; reason: string };

/** The code of a network error; its message could quote the request. */
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
 * All calls to the providers go through here. arctic's own client would follow redirects with the secret and the code, and has
 * no limits on time and size.
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
