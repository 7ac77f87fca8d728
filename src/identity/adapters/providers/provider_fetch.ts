import { causeOf, readUpTo } from "../../../shared/http_response.ts";

/** Size limit of an answer, after decompression. */
const BODY_LIMIT = 1024 * 1024;

class AnswerTooLarge extends Error {
  override name = "AnswerTooLarge";
}

/** All calls to the providers go through here: no redirects, which would carry the secret and the code along, and a size limit. */
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const bytes = await readUpTo(response, BODY_LIMIT);
  if (bytes === undefined) throw new AnswerTooLarge();
  const { status, headers } = response;
  return new Response(bytes.length > 0 ? bytes : null, { status, headers });
}

/** Why a call failed, without what it carried. */
export function callFailure(error: unknown): string {
  return error instanceof AnswerTooLarge ? "the answer is too large" : causeOf(error);
}

/** Rejects with a TimeoutError when `work` takes longer. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DOMException("late", "TimeoutError")), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
