import { createHmac } from "node:crypto";
import { type GuardOptions, guardedRequests } from "../../../../outbound/guarded.ts";
import type { Message, MessageSender, Outcome } from "../../../ports.ts";
import { textBlock } from "../email/email_text.ts";
import { outcomeByStatus } from "../outcome_by_status.ts";

export type WebhookOptions = GuardOptions & { userAgent: string; now: () => Date };

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;
/** What receivers are given to answer, so that a slow one is not sent the same message again. */
const TIMEOUT_MS = 30_000;
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
      alerts: (facts ?? []).map(({ alertId, address, raisedAt: at, breach, foundUnder }) => ({
        id: alertId,
        address,
        raisedAt: at,
        breach,
        foundUnder: foundUnder.map((found) => found.address),
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

/** Signed messages to URLs of the users. */
export function webhookSender({ userAgent, now, ...guard }: WebhookOptions): MessageSender {
  const { send, find } = guardedRequests({ timeoutMs: TIMEOUT_MS, ...guard });
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
      const response = await send(new URL(to.value), { headers, body });
      const isGone = response.kind === "answer" && response.status === 410;
      return outcomeByStatus(response, "the webhook", now(), { isGone });
    },

    /** Resolves the address without sending anything. */
    async check(value) {
      const found = URL.canParse(value) ? await find(new URL(value)) : { kind: "private" as const };
      return found.kind === "found" ? { kind: "valid", devices: [] } : { kind: "invalid" };
    },
  };
}
