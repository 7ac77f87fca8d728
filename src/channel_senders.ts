import type { ChannelConfig } from "./channel_config.ts";
import type { Config } from "./config.ts";
import { ntfySender } from "./notifications/adapters/ntfy.ts";
import { pushoverSender } from "./notifications/adapters/pushover.ts";
import { telegram } from "./notifications/adapters/telegram.ts";
import { webhookSender } from "./notifications/adapters/webhook.ts";
import type { MessageSender, Translate } from "./notifications/ports.ts";
import type { Channel } from "./shared/contacts.ts";
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from "./shared/language.ts";
import type { Mac } from "./shared/secrets.ts";

type Circumstances = {
  userAgent: string;
  now: () => Date;
  /** Tells the operator. */
  report: (error: unknown, context: Record<string, unknown>) => void;
};

/** A sender for each channel that the configuration opens; mail is another matter. */
export function channelSenders(
  { pushover, ntfy, webhooks, allowPrivate }: ChannelConfig,
  { userAgent, now, report }: Circumstances,
): Partial<Record<Channel, MessageSender>> {
  return {
    ...(pushover && { pushover: pushoverSender({ ...pushover, userAgent, now, report }) }),
    ...(ntfy && { ntfy: ntfySender({ ...ntfy, userAgent, now, allowPrivate }) }),
    ...(webhooks && { webhook: webhookSender({ userAgent, now, allowPrivate }) }),
  };
}

/** The Telegram bot, where there is one: its sender, and its ear. */
export function telegramOf(
  { channels, publicUrl }: Pick<Config, "channels" | "publicUrl">,
  { mac, translate, now, report }: Omit<Circumstances, "userAgent"> & { mac: Mac; translate: Translate },
): ReturnType<typeof telegram> | undefined {
  if (!channels.telegram) return undefined;
  const { baseUrl, token, webhookSecret } = channels.telegram;
  const webhook =
    webhookSecret === undefined ? undefined : { url: `${publicUrl}/api/telegram/webhook`, secret: webhookSecret };
  const commandsIn = (language: Language) =>
    ["status", "stop", "help"].map((command) => ({
      command,
      description: translate(language, `telegram.command.${command}`),
    }));
  const commands = {
    "": commandsIn(FALLBACK_LANGUAGE),
    ...Object.fromEntries(LANGUAGES.map((one) => [one, commandsIn(one)])),
  };
  return telegram({ baseUrl, token, webhook, mac, now, report, commands, sleep: (ms) => Bun.sleep(ms) });
}
