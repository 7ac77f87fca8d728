import { createHmac } from "node:crypto";
import type { Message, MessageSender, Outcome } from "../../../ports.ts";
import { textBlock } from "../email/email_text.ts";
import { type GuardedPosted, type GuardOptions, guardedPost } from "../guarded_post.ts";
import { retryAfterMs } from "../outbound.ts";

export type WebhookOptions = GuardOptions & { userAgent: string; now: () => Date };

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;
/** What receivers are given to answer, so that a slow one is not sent the same message again. */
const TIMEOUT_MS = 30_000;
/** Temporary errors, after which a retry can succeed. */
const PASSING = [408, 425, 429];
/** Answers of a gateway: the server behind it may have accepted the message. */
const GATEWAY = [502, 504];

/** The body: text for people, and the facts behind it for programs. */
function bodyOf({ deliveryId, content, kind, facts, urgency, raisedAt, oneClickUrl }: Message, now: Date): string {
  const { language, subject, blocks, attribution } = content;
  const link = blocks.find((block) => block.kind === "button");
  return JSON.stringify({
    type: kind ?? "message",
    timestamp: (raisedAt ?? now).toISOString(),
    data: {
      id: deliveryId,
      language,
      urgency: urgency ?? "normal",
      title: subject,
      text: blocks
        .filter((block) => block !== link)
        .map((part) => textBlock(part, language))
        .join("\n\n"),
      link: link ? { label: link.label, url: link.url } : null,
      alerts: (facts ?? []).map(({ alertId, address, raisedAt: at, breach }) => ({
        id: alertId,
        address,
        raisedAt: at,
        breach,
      })),
      stopUrl: oneClickUrl ?? null,
      attribution: attribution ?? null,
    },
  });
}

/** Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`. */
export function webhookSignature(secret: string, { id, timestamp, body }: Record<"id" | "timestamp" | "body", string>) {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** Maps an answer to an outcome. Its body is never shown, as it may come from anywhere. */
function outcomeOf(posted: GuardedPosted, now: Date): Outcome {
  const refusal = (reason: string, more: { forGood?: true } = {}): Outcome => {
    return { kind: "dead", cause: "recipient", reason, ...more };
  };
  if (posted.kind === "refused") return refusal(posted.reason, { forGood: true });
  if (posted.kind !== "answer") {
    const reason = `Cannot reach the webhook: ${posted.reason}`;
    return { kind: "retry", scope: "contact", reason, ...(posted.kind === "lost" && { inDoubt: true }) };
  }
  const { status, header } = posted;
  const reason = `The webhook answered ${status}`;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status >= 500 || PASSING.includes(status)) {
    const afterMs = retryAfterMs(header("Retry-After"), now);
    const doubt = GATEWAY.includes(status) ? ({ inDoubt: true } as const) : {};
    return { kind: "retry", scope: "contact", reason, ...(afterMs !== undefined && { afterMs }), ...doubt };
  }
  if (status === 413) return { kind: "dead", cause: "message", reason };
  if (status >= 300 && status < 400) return refusal(`${reason}: redirects are not followed`);
  return status === 410 ? refusal(reason, { forGood: true }) : refusal(reason);
}

/** Signed messages to URLs of the users. */
export function webhookSender({ userAgent, now, ...guard }: WebhookOptions): MessageSender {
  const { send, find } = guardedPost({ timeoutMs: TIMEOUT_MS, ...guard });
  return {
    channel: "webhook",

    async send(message): Promise<Outcome> {
      const { to, content, deliveryId: id } = message;
      if (!URL.canParse(to.value)) return { kind: "dead", cause: "recipient", reason: "no web address", forGood: true };
      if (content.code)
        return { kind: "dead", cause: "message", reason: "a sign-in code goes by mail and no other way" };
      if (to.secret === undefined || !SECRET.test(to.secret))
        return { kind: "misconfigured", scope: "message", reason: "the webhook has no secret to sign with" };
      // The time of this attempt, so that a late retry is not rejected as a replay.
      const timestamp = String(Math.floor(now().getTime() / 1000));
      const body = bodyOf(message, now()).toWellFormed();
      const headers = {
        "content-type": "application/json",
        "user-agent": userAgent,
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": webhookSignature(to.secret, { id, timestamp, body }),
      };
      return outcomeOf(await send(new URL(to.value), { headers, body }), now());
    },

    /** Resolves the address without sending anything. */
    async check(value) {
      const found = URL.canParse(value) ? await find(new URL(value)) : { kind: "private" as const };
      return found.kind === "found" ? { kind: "valid", devices: [] } : { kind: "invalid" };
    },
  };
}
