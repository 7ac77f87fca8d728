import { objectIn, type RequestOutcome, retryAfterMs } from "../../../../outbound/request.ts";
import type { ContactCheck, Outcome } from "../../../ports.ts";
import { passing, unreached } from "../outcome_by_status.ts";
import { resetOf } from "./pushover_limits.ts";

const LONGEST_WAIT_MS = 60 * 60_000;
const SHORTEST_WAIT_MS = 5000;

/** The provider's error messages, without anything that looks like a key. */
function complaint(status: number, body: Record<string, unknown> | undefined): string {
  const errors = Array.isArray(body?.errors) ? body.errors.filter((error) => typeof error === "string") : [];
  const text = errors.join("; ").replaceAll(/[A-Za-z0-9]{30,}/g, "…");
  return `Pushover answered ${status}${text && `: ${text}`}`.slice(0, 300);
}

/** Maps the answer to a message to an outcome. */
export function pushoverOutcome(response: RequestOutcome, now: Date): Outcome {
  if (response.kind !== "answer") return unreached("Pushover", "channel", response);
  const { status } = response;
  const body = objectIn(response.text);
  const reason = complaint(status, body);
  if (status === 200) {
    if (body?.status === 1) return { kind: "delivered", ...namesOf(body) };
    // An unknown answer leaves open whether the message was accepted; a status of 0 does not.
    if (body?.status !== 0)
      return { kind: "retry", scope: "channel", reason: "Cannot understand Pushover's answer", inDoubt: true };
  }
  if (status === 429) {
    const reset = resetOf(response);
    const untilReset = reset && Math.max(1000, reset.getTime() - now.getTime());
    const afterMs = retryAfterMs(response.header("Retry-After"), now) ?? untilReset ?? LONGEST_WAIT_MS;
    return { kind: "retry", scope: "channel", reason, afterMs: Math.min(afterMs, LONGEST_WAIT_MS) };
  }
  if (status === 408 || status >= 500) {
    const afterMs = retryAfterMs(response.header("Retry-After"), now);
    return passing(status, "channel", reason, afterMs === undefined ? undefined : Math.max(SHORTEST_WAIT_MS, afterMs));
  }
  if (body?.token === "invalid") return { kind: "misconfigured", scope: "channel", reason };
  if (body?.user === "invalid") return { kind: "dead", cause: "recipient", reason, forGood: true };
  // Retrying cannot succeed, and repeated failures would get the whole installation blocked.
  return { kind: "misconfigured", scope: "message", reason };
}

const RECEIPT = /^[A-Za-z0-9]{1,100}$/;

/** Pushover's id of the request, and the receipt by which an emergency can be followed. */
function namesOf({ receipt, request }: Record<string, unknown>): { providerId?: string; receipt?: string } {
  return {
    ...(typeof request === "string" && { providerId: request.slice(0, 100) }),
    ...(typeof receipt === "string" && RECEIPT.test(receipt) && { receipt }),
  };
}

/** Maps the answer to a key validation. */
export function readCheck(response: RequestOutcome): ContactCheck {
  if (response.kind !== "answer") return { kind: "unknown", reason: `Cannot reach Pushover: ${response.reason}` };
  const body = objectIn(response.text);
  if (response.status === 200 && body?.status === 1) {
    const devices = Array.isArray(body.devices) ? body.devices.filter((name) => typeof name === "string") : [];
    return { kind: "valid", devices };
  }
  const refused = response.status < 500 && body?.status === 0 && body.token !== "invalid";
  return refused && body.user === "invalid"
    ? { kind: "invalid" }
    : { kind: "unknown", reason: complaint(response.status, body) };
}
