import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { TIME_LIMITS, type TimeLimits } from "../../src/notifications/adapters/channels/email/email_connections.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import type { Message } from "../../src/notifications/ports.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";

export const FROM = "Breachbell <alerts@breachbell.example>";
/** What every sender of the tests has in common. */
export const SERVER = {
  from: FROM,
  hostName: "breachbell.example",
  now: () => new Date("2026-03-02T08:00:00.000Z"),
};
export const ID = "0195f2b0-0000-7000-8000-000000000001";

export const content: Content = {
  language: "de",
  subject: "Datenleck: Müller & Söhne",
  preview: "Bitte lesen",
  heading: "Neues Datenleck gefunden",
  blocks: [{ kind: "paragraph", text: "Grüße aus Zürich, 1 < 2" }],
  footer: ["Warum Sie das erhalten"],
  links: [{ label: "Abbestellen", url: "https://breachbell.example/de/manage-contact#t=v1.x" }],
};

export function messageTo(value: string, changes: Partial<Message> = {}): Message {
  return {
    deliveryId: ID,
    messageId: `<${ID}@breachbell.example>`,
    to: { channel: "email", value },
    content,
    ...changes,
  };
}

/** A mail server and a sender that uses it; `cleanUps` closes both. */
export async function peerAndSender(
  cleanUps: (() => unknown)[],
  options: { password?: string; limits?: Partial<TimeLimits>; connections?: number; pace?: () => Promise<void> } = {},
) {
  const peer = await startSmtpPeer(options);
  const { connections, pace } = options;
  const limits = { ...TIME_LIMITS, ...options.limits };
  const { url } = peer;
  const sender = smtpSender({
    ...SERVER,
    url,
    limits,
    ...(connections && { connections }),
    ...(pace && { rate: { perSecond: 10, pace } }),
  });
  cleanUps.push(() => peer.close(), sender.close);
  return { peer, sender };
}
