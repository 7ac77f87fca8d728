import { objectIn } from "../outbound/request.ts";
import { connectionFailure } from "../shared/connection_failure.ts";
import type { DatabaseContext } from "./command.ts";

/** The state of what was checked, and how to fix it. Never contains a secret. */
export type Finding = { state: "ok" | "warn" | "fail"; says: string; mend: string | null };
export type Probe = (bench: DatabaseContext) => Promise<Finding[]>;

export function finding(state: Finding["state"], says: string, mend?: string): Finding {
  return { state, says, mend: mend ?? null };
}

export const ok = (says: string): Finding => finding("ok", says);
export const warn = (says: string, mend: string): Finding => finding("warn", says, mend);
export const fail = (says: string, mend: string): Finding => finding("fail", says, mend);

/** `date`: what the peer's clock says, in whole seconds. */
type Reached = { status: number; body: unknown; date: Date | undefined } | { trouble: string };

const TIMEOUT_MS = 8000;
const LARGEST = 1024 * 1024;

/** GETs JSON without following redirects, with a timeout; error messages quote nothing of the response. */
export async function ask(
  url: URL | string,
  headers: Record<string, string> = {},
  timeoutMs = TIMEOUT_MS,
): Promise<Reached> {
  try {
    const answer = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    const text = await textOf(answer);
    const date = answer.headers.get("Date");
    return { status: answer.status, body: objectIn(text), date: date === null ? undefined : new Date(date) };
  } catch (error) {
    return { trouble: troubleOf(error, "the answer could not be read") };
  }
}

async function textOf(answer: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LARGEST) throw new Error("too large");
  }
  return text;
}

/** The cause in words, or `otherwise` with the error's code: its message may quote anything. */
export function troubleOf(error: unknown, otherwise: string): string {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return connectionFailure(error) ?? `${otherwise}${code}`;
}

/** A property of a response, if present. */
export function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && name in body
    ? (body as Record<string, unknown>)[name]
    : undefined;
}
