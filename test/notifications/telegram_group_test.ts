import { afterEach, describe, expect, test } from "bun:test";
import { accepted } from "../support/builders.ts";
import type { TelegramGroup } from "../support/telegram_peer.ts";
import { adobe } from "./post_office.ts";
import { BOB, EVE, telegramWorld } from "./telegram_world.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const FAMILY: TelegramGroup = { id: -1_001_234_567_890, title: "The family" };
const TOPIC = 42;
const ALERT = "0195f2b0-0000-7000-8000-00000000a1e7";
type World = ReturnType<typeof telegramWorld>;

async function asked(topic?: number) {
  const world = telegramWorld(cleanUps);
  const contact = await world.contactOf();
  const { url } = accepted(await world.startTelegramLink("alice", { contactId: contact.id, whose: "group" }));
  world.peer.openInGroup(FAMILY, url, BOB, topic);
  await world.pollTelegram();
  return { world, contact, url };
}

async function joined(topic?: number) {
  const { world, contact } = await asked(topic);
  accepted(await world.confirmTelegramLink("alice", contact.id));
  return { world, contact };
}

const sentTo = ({ peer }: World) => peer.sent.filter(({ chat_id }) => chat_id === FAMILY.id);
const stateOf = async ({ find }: World, id: string) => (await find(id))?.state;

describe("A group in Telegram", () => {
  test("is connected once the account has confirmed which group it is", async () => {
    const { world, contact, url } = await asked();
    expect(url).toContain("?startgroup=");
    expect(sentTo(world)[0]?.text).toContain("diese Gruppe vom Konto bestätigen");
    expect(await world.showTelegramLink("alice", contact.id)).toMatchObject({
      value: { state: "needs_confirmation", candidate: { username: null, name: "The family", isGroup: true } },
    });
    expect(await stateOf(world, contact.id)).toBe("unconfirmed");
    expect(await world.confirmTelegramLink("mallory", contact.id)).toMatchObject({ code: "NOT_FOUND" });
    accepted(await world.confirmTelegramLink("alice", contact.id));
    expect(await world.find(contact.id)).toMatchObject({
      state: "active",
      label: "The family",
      chatId: String(FAMILY.id),
      settings: { discreet: true },
    });
  });

  test("is asked about even if the person who adds the bot has the typed name", async () => {
    const { world, contact } = await asked();
    expect(await stateOf(world, contact.id)).toBe("unconfirmed");
  });

  test("gets discreet alerts in its topic, without a button that anyone there could press", async () => {
    const { world } = await joined(TOPIC);
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home", adobe)] });
    await world.deliverDue();
    const alert = sentTo(world).at(-1);
    expect(alert).toMatchObject({ message_thread_id: TOPIC });
    expect(alert?.text).not.toContain("alice@home.example");
    expect(alert?.reply_markup?.inline_keyboard.flat().filter((button) => "callback_data" in button) ?? []).toEqual([]);
  });

  test("keeps its topic when the account changes the settings", async () => {
    const { world, contact } = await joined(TOPIC);
    const plain = { digestBelow: null, digestHour: null, quiet: null, zone: null, device: null, language: null };
    accepted(await world.saveContactSettings("alice", contact.id, { ...plain, discreet: false, emergency: false }));
    expect((await world.find(contact.id))?.settings).toEqual({ thread: TOPIC });
  });

  test("gets no answer to what its members write, and shows none of the account's addresses", async () => {
    const { world, contact } = await joined();
    const before = sentTo(world).length;
    for (const text of ["/stop", "/status", "/start", "hello", "/help@breachbell_bot"])
      world.peer.writeInGroup(FAMILY, text, EVE);
    await world.pollTelegram();
    expect(sentTo(world)).toHaveLength(before);
    expect(await stateOf(world, contact.id)).toBe("active");
  });

  test("that the bot was removed from is unreachable at once, and back when it is added again", async () => {
    const { world, contact } = await joined();
    world.peer.removeFrom(FAMILY, EVE);
    await world.pollTelegram();
    expect(await stateOf(world, contact.id)).toBe("broken");
    world.peer.tell("my_chat_member", {
      chat: { id: FAMILY.id, type: "supergroup", title: FAMILY.title },
      from: EVE,
      date: 1,
      new_chat_member: { status: "administrator" },
    });
    await world.pollTelegram();
    expect(await stateOf(world, contact.id)).toBe("active");
  });

  test("can be replaced by a person's chat, which has no topic", async () => {
    const { world, contact } = await joined(TOPIC);
    world.peer.open(BOB, await world.linkOf(contact.id));
    await world.pollTelegram();
    expect(await world.find(contact.id)).toMatchObject({ chatId: String(BOB.id) });
    expect((await world.find(contact.id))?.settings.thread).toBeUndefined();
  });
});
