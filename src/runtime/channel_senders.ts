import { join } from "node:path";
import type { ChannelConfig, EmbeddedChannel } from "../config/channel_config.ts";
import type { Config } from "../config/config.ts";
import { chatSender } from "../notifications/adapters/channels/chat_sender.ts";
import { CHAT_KINDS } from "../notifications/adapters/channels/chats.ts";
import { openStandIns, type StandIns } from "../notifications/adapters/channels/inbox/mailbox_stand_ins.ts";
import { ntfySender } from "../notifications/adapters/channels/ntfy/ntfy.ts";
import { pushoverSender } from "../notifications/adapters/channels/pushover/pushover.ts";
import { MESSAGES_PER_SECOND, telegram } from "../notifications/adapters/channels/telegram/telegram.ts";
import { webhookSender } from "../notifications/adapters/channels/webhook/webhook.ts";
import { type PushKeys, webPushSender } from "../notifications/adapters/channels/webpush/webpush.ts";
import type { MessageSender, Translate } from "../notifications/ports.ts";
import type { Channel } from "../shared/contacts.ts";
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from "../shared/language.ts";
import type { OutboundProxy } from "../shared/outbound_proxy.ts";
import type { Mac } from "../shared/secrets.ts";

type Circumstances = {
  userAgent: string;
  now: () => Date;
  /** Reports a problem to the operator. */
  report: (error: unknown, context: Record<string, unknown>) => void;
  proxy: OutboundProxy | undefined;
};

/** What waits for a slot of a channel with this limit. */
export type PaceOf = (channel: Channel, perSecond: number) => () => Promise<void>;

/** Telegram's links lead to the local inbox where that replaces Telegram. */
type ReachedChannels = Omit<ChannelConfig, "telegram"> & {
  telegram?: NonNullable<ChannelConfig["telegram"]> & { linkUrl?: string };
};

/** Replaces the embedded channels with the local inbox, which is opened here. */
export function withStandIns(
  { channels, publicUrl, dataDir }: Pick<Config, "channels" | "publicUrl" | "dataDir">,
  now: () => Date,
): { channels: ReachedChannels; standIns: StandIns | undefined; close(): Promise<void> } {
  const { embedded } = channels;
  if (embedded.length === 0) return { channels, standIns: undefined, close: async () => {} };
  const { telegram, pushover, telegramAccess, pushoverAccess, close } = openStandIns({
    directory: join(dataDir, "mailbox_channels"),
    now,
  });
  const isHere = (channel: EmbeddedChannel) => embedded.includes(channel);
  return {
    channels: {
      ...channels,
      ...(isHere("telegram") && { telegram: { ...telegramAccess, linkUrl: `${publicUrl}/mailbox/telegram` } }),
      ...(isHere("pushover") && { pushover: pushoverAccess }),
    },
    standIns: { ...(isHere("telegram") && { telegram }), ...(isHere("pushover") && { pushover }) },
    close,
  };
}

type PushCircumstances = { keys: PushKeys; contact: string; publicUrl: string; mac: Mac; translate: Translate };

/** A sender for each configured channel except mail. */
export function channelSenders(
  { pushover, ntfy, webhooks, webPush, chats, allowPrivate }: ChannelConfig,
  { userAgent, now, report, proxy, push }: Circumstances & { push: PushCircumstances },
): Partial<Record<Channel, MessageSender>> {
  const guarded = { userAgent, now, allowPrivate, proxy };
  return {
    ...(pushover && { pushover: pushoverSender({ ...pushover, userAgent, now, report, proxy }) }),
    ...(ntfy && { ntfy: ntfySender({ ...ntfy, ...guarded }) }),
    ...(webhooks && { webhook: webhookSender(guarded) }),
    ...(webPush && { webpush: webPushSender({ ...push, ...guarded }) }),
    ...Object.fromEntries(chats.map((chat) => [chat, chatSender(CHAT_KINDS[chat], guarded)])),
  };
}

/** The Telegram bot, if configured: its sender and its receiver of updates. */
export function telegramOf(
  { channels, publicUrl }: Pick<Config, "publicUrl"> & { channels: ReachedChannels },
  {
    mac,
    translate,
    now,
    report,
    proxy,
    paceOf,
  }: Omit<Circumstances, "userAgent"> & { mac: Mac; translate: Translate; paceOf: PaceOf },
): ReturnType<typeof telegram> | undefined {
  if (!channels.telegram) return undefined;
  const { baseUrl, token, webhookSecret, linkUrl } = channels.telegram;
  const webhook =
    webhookSecret === undefined ? undefined : { url: `${publicUrl}/api/telegram/webhook`, secret: webhookSecret };
  const commandsIn = (language: Language) =>
    ["status", "stop", "help"].map((command) => ({
      command,
      description: translate(language, `telegram.command.${command}`),
    }));
  const commands = () => ({
    "": commandsIn(FALLBACK_LANGUAGE),
    ...Object.fromEntries(LANGUAGES.map((one) => [one, commandsIn(one)])),
  });
  const pace = paceOf("telegram", MESSAGES_PER_SECOND);
  return telegram({ baseUrl, token, linkUrl, webhook, mac, now, report, proxy, commands, pace, sleep: Bun.sleep });
}
