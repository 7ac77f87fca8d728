import { buildPushPayload, type PushMessage, type VapidKeys } from "@block65/webcrypto-web-push";
import { type GuardOptions, guardedRequests } from "../../../../outbound/guarded.ts";
import { localeOf } from "../../../../shared/language.ts";
import type { Mac } from "../../../../shared/secrets.ts";
import type { Message, MessageSender, Outcome, Translate, Urgency } from "../../../ports.ts";
import { seenMark } from "../../../webpush/seen_mark.ts";
import { subscriptionOf } from "../../../webpush/subscription.ts";
import type { PushSubscription } from "../../../webpush/webpush_ports.ts";
import { outcomeByStatus, type Said } from "../outcome_by_status.ts";
import { pushText } from "../push_text.ts";
import type { PushKeys } from "./push_keys.ts";

export type { PushKeys } from "./push_keys.ts";

export type WebPushOptions = GuardOptions & {
  keys: PushKeys;
  /** Where push services can reach the operator: a `mailto:` or https URL (RFC 8292, section 2.1). */
  contact: string;
  /** What a notification without a link opens. */
  publicUrl: string;
  mac: Mac;
  translate: Translate;
  userAgent: string;
  now: () => Date;
};

/** The room in an encrypted message, which has 4,096 bytes. */
const MOST_BYTES = 3993;
/** JSON can double the length of a text. */
const LIMITS = { title: 120, characters: 1000, bytes: 1200 };
const URGENCY: Record<Urgency, "low" | "normal" | "high"> = {
  low: "low",
  normal: "normal",
  high: "high",
  critical: "high",
};
/** The longest time that the common push services keep a message. */
const LONGEST_TTL_SECONDS = 28 * 24 * 3600;
/** The alerts that the message is about. */
function alertCount({ facts }: Message): number {
  return facts?.length ?? 0;
}

function ttlOf({ notAfter }: Message, now: Date): number {
  const seconds = notAfter ? Math.ceil((notAfter.getTime() - now.getTime()) / 1000) : LONGEST_TTL_SECONDS;
  return Math.min(LONGEST_TTL_SECONDS, Math.max(1, seconds));
}

/** The request with the encrypted message; undefined for keys with which nothing can be encrypted. */
async function encrypted(
  message: PushMessage,
  { endpoint, p256dh, auth }: PushSubscription,
  signer: VapidKeys,
): Promise<Awaited<ReturnType<typeof buildPushPayload>> | undefined> {
  try {
    return await buildPushPayload(message, { endpoint, expirationTime: null, keys: { p256dh, auth } }, signer);
  } catch {
    return undefined;
  }
}

/** Notifications in browsers, by their push services (RFC 8030), and by UnifiedPush servers, which take the same request. */
export function webPushSender({
  keys,
  contact,
  publicUrl,
  mac,
  translate,
  userAgent,
  now,
  ...guard
}: WebPushOptions): MessageSender {
  const { send } = guardedRequests(guard);

  /**
   * Declarative Web Push: Safari shows it without a service worker; in other browsers ours does. A repeated message has the
   * same tag, so that it replaces the first.
   */
  function payloadOf(message: Message) {
    const { content, deliveryId } = message;
    const { language } = content;
    const { title, body, link } = pushText(content, LIMITS, { links: false });
    const navigate = link?.url ?? `${publicUrl}/`;
    const count = alertCount(message);
    return {
      web_push: 8030,
      notification: {
        title,
        body,
        navigate,
        lang: localeOf(language),
        dir: "ltr",
        tag: deliveryId,
        ...(count > 0 && { app_badge: String(count) }),
        actions: [
          { action: "open", title: translate(language, "mail.push.open"), navigate },
          { action: "seen", title: translate(language, "mail.push.seen"), navigate },
        ],
        data: { delivery: deliveryId, seen: seenMark(mac, deliveryId) },
      },
    };
  }

  return {
    channel: "webpush",

    publicKey: keys.publicKey,

    /** Generates the keys at the first start; without them nothing can be sent. */
    async verify() {
      await keys.pair();
    },

    async send(message): Promise<Outcome> {
      const { to, content, deliveryId, urgency = "normal" } = message;
      const subscription = to.secret === undefined ? undefined : subscriptionOf(to.secret);
      if (!subscription) return { kind: "dead", cause: "recipient", reason: "no push subscription", forGood: true };
      if (content.code)
        return { kind: "dead", cause: "message", reason: "a sign-in code goes by mail and no other way" };
      const text = JSON.stringify(payloadOf(message)).toWellFormed();
      if (Buffer.byteLength(text) > MOST_BYTES)
        return { kind: "dead", cause: "message", reason: "too long for a push" };
      const signer = { ...(await keys.pair()), subject: contact };
      // A repeated message replaces the first at the push service, if that has not delivered it yet.
      const options = { ttl: ttlOf(message, now()), urgency: URGENCY[urgency], topic: deliveryId.replaceAll("-", "") };
      const request = await encrypted({ data: text, options }, subscription, signer);
      if (!request)
        return { kind: "dead", cause: "recipient", reason: "the push subscription is invalid", forGood: true };
      const headers = { ...request.headers, "user-agent": userAgent };
      const response = await send(new URL(subscription.endpoint), { headers, body: request.body });
      const isGone = response.kind === "answer" && (response.status === 404 || response.status === 410);
      const said: Said = isGone ? { isGone, error: "the subscription has ended" } : {};
      return outcomeByStatus(response, "the push service", now(), said);
    },
  };
}
