import { chatSender } from "../../src/notifications/adapters/channels/chat_sender.ts";
import { CHAT_KINDS } from "../../src/notifications/adapters/channels/chats.ts";
import { ntfySender } from "../../src/notifications/adapters/channels/ntfy/ntfy.ts";
import { pushoverSender } from "../../src/notifications/adapters/channels/pushover/pushover.ts";
import { telegram } from "../../src/notifications/adapters/channels/telegram/telegram.ts";
import { webhookSender } from "../../src/notifications/adapters/channels/webhook/webhook.ts";
import { webPushSender } from "../../src/notifications/adapters/channels/webpush/webpush.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import type { MessageSender, Recipient } from "../../src/notifications/ports.ts";
import { keysOf } from "../../src/runtime/crypto.ts";
import { type Failure, type PeerRequest, startChannelPeer } from "./channel_peer.ts";
import { CHAT_PEERS, type ChatPeerName } from "./chats/peers.ts";
import { LOOPBACK_AUTHORITY } from "./loopback_certificate.ts";
import { NTFY_TOKEN, startNtfyPeer, TOPIC } from "./ntfy_peer.ts";
import { startPushPeer } from "./push_peer.ts";
import { APP_TOKEN, startPushoverPeer, USER_KEY } from "./pushover_peer.ts";
import { startTelegramPeer } from "./telegram_peer.ts";
import { startWebhookPeer, WEBHOOK_SECRET } from "./webhook_peer.ts";

/** Long enough for a machine that stalls for a moment. */
const TIMEOUT_MS = 15_000;

export type OpenOptions = {
  now: () => Date;
  cleanUps: (() => unknown)[];
  timeoutMs?: number;
  /** The peer serves https with an untrusted certificate. */
  untrusted?: boolean;
};

/** A fake provider and the sender that uses it. */
export type OpenedProvider = {
  sender: MessageSender;
  recipient: Recipient;
  /** Everything the provider accepted, including duplicates. */
  received: () => { to: string; title: string }[];
  /** All requests, unparsed. */
  requests: PeerRequest[];
  failNext(failure: Failure, times?: number): void;
  failAlways(failure?: Failure): void;
  stop(): Promise<void>;
};

/** The text that Telegram's HTML shows first. */
export const firstLine = (html: string) =>
  (html.split("\n")[0] ?? "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const BOB = { id: 7_000_000_001, first_name: "Bob", username: "bob_miller" };

const USER_AGENT = "Breachbell/0.1.0 (+https://breachbell.example)";

const PUSH_DEVICE = "firefox-linux-3fa94c1e";
/** A key pair made for tests. */
const PUSH_KEYS = {
  publicKey: "BH2i7PsqQO2wJ5YD4PPLi46Ro8oYVKHqXF5T0UtnTE1aINfeGOnKyemzBjfKkBdKaF4FQT6kDJ_WXdE7rCGO9xQ",
  privateKey: "W5yDPiMKAKaTHWtnpS6NjzBumFjqLHvJrCunmJ8stJc",
};
/** A sender of Web Push that reaches the peer by any name. */
export const PUSH_OPTIONS = {
  keys: { pair: async () => PUSH_KEYS, publicKey: async () => PUSH_KEYS.publicKey },
  contact: "mailto:support@breachbell.example",
  publicUrl: "https://breachbell.example",
  mac: keysOf("a secret for tests only").mac,
  translate: intlTranslate(),
  userAgent: USER_AGENT,
  allowPrivate: true,
  resolve: async () => ["127.0.0.1"],
  ca: LOOPBACK_AUTHORITY,
};

/** A sender of a chat that reaches its peer by any name. */
export const CHAT_OPTIONS = {
  userAgent: USER_AGENT,
  allowPrivate: true,
  resolve: async () => ["127.0.0.1"],
  ca: LOOPBACK_AUTHORITY,
};
const CHAT_NAME = "hooks-example-3fa94c1e";

async function openChat(name: ChatPeerName, options: OpenOptions): Promise<OpenedProvider> {
  const { now, cleanUps, timeoutMs = TIMEOUT_MS, untrusted = false } = options;
  const { chat: channel, start } = CHAT_PEERS[name];
  const peer = await start();
  cleanUps.push(peer.stop);
  const trust = untrusted ? { ca: undefined } : {};
  const sender = chatSender(CHAT_KINDS[channel], { ...CHAT_OPTIONS, ...trust, now, timeoutMs });
  const recipient: Recipient = { channel, value: CHAT_NAME, secret: JSON.stringify(peer.entered) };
  const received = () => peer.titles().map((title) => ({ to: CHAT_NAME, title }));
  return { ...peer, sender, received, recipient };
}

/** Each channel's HTTP provider. A new channel needs an entry here and its rows in the table of outcomes. */
export const PROVIDER_OPENERS = {
  async pushover({ now, cleanUps, timeoutMs = TIMEOUT_MS, untrusted = false }: OpenOptions): Promise<OpenedProvider> {
    const peer = await startPushoverPeer({ secure: untrusted });
    cleanUps.push(peer.stop);
    const report = () => {};
    const sender = pushoverSender({
      baseUrl: peer.url,
      appToken: APP_TOKEN,
      userAgent: USER_AGENT,
      now,
      report,
      timeoutMs,
    });
    const received = () => peer.received.map(({ user, title }) => ({ to: user, title }));
    return { ...peer, sender, received, recipient: { channel: "pushover", value: USER_KEY } };
  },

  async ntfy({ now, cleanUps, timeoutMs = TIMEOUT_MS, untrusted = false }: OpenOptions): Promise<OpenedProvider> {
    const peer = await startNtfyPeer({ secure: untrusted });
    cleanUps.push(peer.stop);
    const sender = ntfySender({
      baseUrl: peer.url,
      token: NTFY_TOKEN,
      userAgent: USER_AGENT,
      now,
      allowPrivate: false,
      timeoutMs,
    });
    const received = () => peer.received.map(({ topic, title }) => ({ to: topic, title }));
    return { ...peer, sender, received, recipient: { channel: "ntfy", value: TOPIC } };
  },

  /** A topic on a server other than the installation's own. */
  async "ntfy elsewhere"({
    now,
    cleanUps,
    timeoutMs = TIMEOUT_MS,
    untrusted = false,
  }: OpenOptions): Promise<OpenedProvider> {
    const peer = await startNtfyPeer({ secure: true });
    cleanUps.push(peer.stop);
    const trust = untrusted ? {} : { ca: LOOPBACK_AUTHORITY };
    const sender = ntfySender({
      baseUrl: "https://ntfy.breachbell.example",
      token: NTFY_TOKEN,
      userAgent: USER_AGENT,
      ...trust,
      now,
      allowPrivate: true,
      timeoutMs,
      resolve: async () => ["127.0.0.1"],
    });
    const value = `https://other.example:${peer.port}/${TOPIC}`;
    const received = () => peer.received.map(({ title }) => ({ to: value, title }));
    return { ...peer, sender, received, recipient: { channel: "ntfy", value } };
  },

  async telegram({ now, cleanUps, timeoutMs = TIMEOUT_MS, untrusted = false }: OpenOptions): Promise<OpenedProvider> {
    const bots = startTelegramPeer();
    const peer = await startChannelPeer({ answer: bots.answer, secure: untrusted });
    cleanUps.push(peer.stop, bots.close);
    bots.write(BOB, "/start");
    const { sender } = telegram({
      baseUrl: peer.url,
      token: bots.token,
      now,
      timeoutMs,
      commands: () => ({}),
      mac: keysOf("a secret for tests only").mac,
      sleep: async () => {},
      pace: async () => {},
      report: () => {},
    });
    const recipient: Recipient = { channel: "telegram", value: BOB.username, chatId: String(BOB.id) };
    const received = () => bots.sentTo(BOB).map(({ text }) => ({ to: recipient.value, title: firstLine(text) }));
    return { ...peer, sender, received, recipient };
  },

  async webhook({ now, cleanUps, timeoutMs = TIMEOUT_MS, untrusted = false }: OpenOptions): Promise<OpenedProvider> {
    const peer = await startWebhookPeer({ now });
    cleanUps.push(peer.stop);
    const trust = untrusted ? {} : { ca: LOOPBACK_AUTHORITY };
    const sender = webhookSender({
      userAgent: USER_AGENT,
      allowPrivate: true,
      ...trust,
      now,
      timeoutMs,
      resolve: async () => ["127.0.0.1"],
    });
    const received = () => peer.received.map(({ data }) => ({ to: peer.hook, title: data.title }));
    return { ...peer, sender, received, recipient: { channel: "webhook", value: peer.hook, secret: WEBHOOK_SECRET } };
  },

  async webpush({ now, cleanUps, timeoutMs = TIMEOUT_MS, untrusted = false }: OpenOptions): Promise<OpenedProvider> {
    const peer = await startPushPeer();
    cleanUps.push(peer.stop);
    const trust = untrusted ? { ca: undefined } : {};
    const sender = webPushSender({ ...PUSH_OPTIONS, ...trust, now, timeoutMs });
    const recipient: Recipient = { channel: "webpush", value: PUSH_DEVICE, secret: JSON.stringify(peer.subscribe()) };
    const received = () => peer.received.map(({ payload }) => ({ to: PUSH_DEVICE, title: payload.notification.title }));
    return { ...peer, sender, received, recipient };
  },

  ...(Object.fromEntries(
    Object.keys(CHAT_PEERS).map((name) => [name, (options: OpenOptions) => openChat(name as ChatPeerName, options)]),
  ) as Record<ChatPeerName, (options: OpenOptions) => Promise<OpenedProvider>>),
} satisfies Record<string, (options: OpenOptions) => Promise<OpenedProvider>>;
export type ProviderName = keyof typeof PROVIDER_OPENERS;
