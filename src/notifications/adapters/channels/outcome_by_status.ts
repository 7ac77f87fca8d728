import type { GuardedResponse } from "../../../outbound/guarded.ts";
import { retryAfterMs } from "../../../outbound/request.ts";
import type { Outcome } from "../../ports.ts";

export type Answer = Extract<GuardedResponse, { kind: "answer" }>;

/** What a provider's answer says beyond its status. */
export type Said = {
  /** Whether a status of success confirms the message; true by default. */
  isAccepted?: boolean | undefined;
  /** The provider's id of the message. */
  providerId?: string | undefined;
  /** The provider's error code or our words for it; never text that may contain a secret. */
  error?: string | undefined;
  /** The recipient no longer exists. */
  isGone?: boolean | undefined;
  /** Not all of it was delivered; a later try can succeed, and may repeat a part. */
  isPartly?: boolean | undefined;
  /** Only this message is refused. */
  isMessage?: boolean | undefined;
  /** When to try again; by default as the header `Retry-After` says. */
  afterMs?: number | undefined;
  /** "channel": the limit or the outage concerns every recipient. */
  scope?: "channel" | undefined;
};

/** Temporary errors, after which a retry can succeed. */
const PASSING = [408, 425, 429];
/** Answers of a gateway: the server behind it may have accepted the message. */
const GATEWAY = [502, 504];

type Scope = Extract<Outcome, { kind: "retry" }>["scope"];

/** A request to `name` without an answer. */
export function unreached(name: string, scope: Scope, { kind, reason }: { kind: string; reason: string }): Outcome {
  const retry = { kind: "retry", scope, reason: `Cannot reach ${name}: ${reason}` } as const;
  return kind === "lost" ? { ...retry, inDoubt: true } : retry;
}

/** A temporary error. */
export function passing(status: number, scope: Scope, reason: string, afterMs: number | undefined): Outcome {
  const wait = afterMs === undefined ? {} : { afterMs };
  return { kind: "retry", scope, reason, ...wait, ...(GATEWAY.includes(status) && { inDoubt: true }) };
}

const dead = (reason: string): Outcome => ({ kind: "dead", cause: "recipient", reason });
const gone = (reason: string): Outcome => ({ kind: "dead", cause: "recipient", reason, forGood: true });

/**
 * The outcome of a message to a server that belongs to its recipient, such as "the webhook". The answer's body is never shown,
 * as it may come from anywhere.
 */
export function outcomeByStatus(response: GuardedResponse, name: string, now: Date, said: Said = {}): Outcome {
  const { isAccepted = true, providerId, error, isGone, isPartly, isMessage, afterMs, scope = "contact" } = said;
  if (response.kind === "refused") return gone(response.reason);
  if (response.kind !== "answer") return unreached(name, scope, response);
  const { status, header } = response;
  const reason = `${name.slice(0, 1).toUpperCase()}${name.slice(1)} answered ${status}${error ? `: ${error}` : ""}`;
  if (isGone) return gone(reason);
  if (status >= 200 && status < 300) {
    if (!isAccepted) return { kind: "retry", scope, reason: `Cannot understand the answer of ${name}`, inDoubt: true };
    return { kind: "delivered", ...(providerId !== undefined && { providerId: providerId.slice(0, 100) }) };
  }
  if (isPartly) return { kind: "retry", scope, reason, inDoubt: true };
  if (isMessage || status === 413) return { kind: "dead", cause: "message", reason };
  if (status >= 500 || PASSING.includes(status))
    return passing(status, scope, reason, afterMs ?? retryAfterMs(header("Retry-After"), now));
  return status >= 300 && status < 400 ? dead(`${reason}: redirects are not followed`) : dead(reason);
}
