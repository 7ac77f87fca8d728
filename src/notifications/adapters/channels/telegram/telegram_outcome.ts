import type { Outcome } from "../../../ports.ts";
import { passing, unreached } from "../outcome_by_status.ts";
import type { TelegramAnswer } from "./telegram_api.ts";

/** When Telegram rate-limits without a delay. */
const PAUSE_MS = 60_000;

type Refusal = Extract<TelegramAnswer, { kind: "refused" }>;

/** Maps Telegram's refusal to an outcome: by status first, then by known descriptions. */
function refusalOf({ status, description, retryAfterMs }: Refusal): Outcome {
  const reason = `Telegram ${status}: ${description || "no description"}`;
  if (status === 429) return { kind: "retry", scope: "channel", reason, afterMs: retryAfterMs ?? PAUSE_MS };
  if (status === 408 || status >= 500) return passing(status, "channel", reason, retryAfterMs);
  if (status === 413) return { kind: "dead", cause: "message", reason };
  // A proxy in between has refused, which is not the contact's fault.
  if (description === undefined) return { kind: "misconfigured", scope: "channel", reason };
  const isUnknown =
    status === 400 && /chat not found|user not found|peer_id_invalid|thread not found/i.test(description);
  if (status === 403 || isUnknown) return { kind: "dead", cause: "recipient", forGood: true, reason };
  // This message is invalid, rather than the channel.
  if (status === 400) return { kind: "dead", cause: "message", reason };
  return { kind: "misconfigured", scope: "channel", reason };
}

/** Maps the answer to a message to an outcome. */
export function telegramOutcome(answer: TelegramAnswer): Outcome {
  if (answer.kind === "refused") return refusalOf(answer);
  if (answer.kind === "lost")
    return unreached("Telegram", "channel", { kind: answer.inDoubt ? "lost" : "unsent", reason: answer.reason });
  const id = (answer.result as { message_id?: unknown } | null | undefined)?.message_id;
  if (typeof id === "number") return { kind: "delivered", providerId: String(id) };
  return { kind: "retry", scope: "channel", reason: "Cannot understand Telegram's answer", inDoubt: true };
}

/** Describes an answer without secrets. */
export function kindOf(answer: TelegramAnswer): string {
  if (answer.kind === "ok") return "an answer that made no sense";
  return answer.kind === "lost" ? answer.reason : `${answer.status} ${answer.description ?? "no description"}`;
}
