import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStandIns } from "../../src/notifications/adapters/channels/inbox/mailbox_stand_ins.ts";
import { pushoverSender } from "../../src/notifications/adapters/channels/pushover/pushover.ts";
import { telegram } from "../../src/notifications/adapters/channels/telegram/telegram.ts";
import { keysOf } from "../../src/runtime/crypto.ts";
import { firstLine } from "./channel_providers.ts";

export const LINK_URL = "http://localhost:3000/mailbox/telegram";

/** The channels that the local inbox replaces, and the product's own adapters on it. Bob has started the bot. */
export async function standInsWith(cleanUps: (() => unknown)[], now = () => new Date("2026-03-02T08:00:00.000Z")) {
  const directory = mkdtempSync(join(tmpdir(), "inbox-"));
  const standIns = openStandIns({ directory, now });
  cleanUps.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => standIns.close(),
  );
  const { baseUrl, token } = standIns.telegramAccess;
  const troubles: unknown[] = [];
  const report = (error: unknown) => void troubles.push(error);
  const { sender, bot } = telegram({
    baseUrl,
    token,
    linkUrl: LINK_URL,
    now,
    report,
    commands: () => ({ "": [{ command: "status", description: "" }] }),
    mac: keysOf("a secret for tests only").mac,
    sleep: async () => {},
    pace: async () => {},
  });
  standIns.telegram.start("bob_miller", "", false);
  const bob = standIns.telegram.look().people[0]?.id ?? 0;
  const { userKey } = standIns.pushover.look();
  return {
    standIns,
    directory,
    bob,
    troubles,
    recipient: {
      telegram: { channel: "telegram", value: "bob_miller", chatId: String(bob) } as const,
      pushover: { channel: "pushover", value: userKey } as const,
    },
    telegram: {
      sender,
      bot,
      /** The messages of the bot, in order. */
      messages: () =>
        standIns.telegram
          .look()
          .messages.filter(({ from }) => from === "bot")
          .toReversed(),
    },
    pushover: {
      sender: pushoverSender({ ...standIns.pushoverAccess, userAgent: "Breachbell/0.1.0", now, report }),
      messages: () => standIns.pushover.look().messages.toReversed(),
    },
  };
}

/** For requirements that every sender must meet. */
export const STAND_IN_OPENERS = {
  async pushover(cleanUps: (() => unknown)[]) {
    const { pushover, recipient } = await standInsWith(cleanUps);
    const to = recipient.pushover;
    const received = () => pushover.messages().map(({ title }) => ({ to: to.value, title }));
    return { sender: pushover.sender, received, recipients: [to, to, to] };
  },
  async telegram(cleanUps: (() => unknown)[]) {
    const { telegram, recipient } = await standInsWith(cleanUps);
    const to = recipient.telegram;
    const received = () => telegram.messages().map(({ text }) => ({ to: to.value, title: firstLine(text) }));
    return { sender: telegram.sender, received, recipients: [to, to, to] };
  },
};
