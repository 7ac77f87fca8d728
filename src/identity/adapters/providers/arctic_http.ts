import { causeOf, readUpTo } from "../../../shared/http_response.ts";

/** Size limit of an answer, after decompression. */
const BODY_LIMIT = 1024 * 1024;

/** The outcome of one call: its status and JSON body, or the reason of its failure. */
export type Answer = { ok: true; status: number; body: unknown } | { ok: false; reason: string };

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
    const bytes = await readUpTo(response, BODY_LIMIT);
    if (bytes === undefined) return { ok: false, reason: "the answer is too large" };
    const body = parse(new TextDecoder().decode(bytes));
    return body === undefined
      ? { ok: false, reason: `the answer is not JSON, and its status is ${status}` }
      : { ok: true, status, body };
  } catch (error) {
    return { ok: false, reason: causeOf(error) };
  }
}
