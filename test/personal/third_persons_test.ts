import { beforeEach, describe, expect, test } from "bun:test";
import { PASSWORD, worldOnDatabase } from "../support/marked_account.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { valuesWith } from "../support/stored_values.ts";
import { settle, signedUp } from "../support/world.ts";

const THIRD = "zqthird";
const MAILBOX = `${THIRD}@example.net`;
const DAY_MS = 24 * 3_600_000;
/** Where an account's own input is kept as long as the account exists. */
const OF_THE_ACCOUNT = ["notifications.contact.value", "notifications.delivery.value", "tracking.association.contacts"];

describe("data of a person without an account", () => {
  let world: Awaited<ReturnType<typeof worldOnDatabase>>;
  let call: Awaited<ReturnType<typeof signedUp>>;

  beforeEach(async () => {
    world = await worldOnDatabase(await emptyDatabase());
    call = await signedUp(world, "alice@example.com");
  }, 300_000);

  const traces = async () => [...(await valuesWith(world, THIRD)).keys()].toSorted();
  /** The mails that notified the account of an answer are its own record, and deleted with it. */
  const tracesButMails = async () => (await traces()).filter((name) => name !== "notifications.delivery.about");

  async function askThird(): Promise<string> {
    const asked = { address: MAILBOX, owner: false, language: "en", contacts: { email: ["alice@example.com"] } };
    expect((await call("POST", "/api/associations", asked)).ok).toBe(true);
    await settle(world);
    const mail = world.ground.sender.sent.findLast(({ to }) => to.value === MAILBOX);
    return /manage-invitation#t=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? "";
  }

  /** The jobs that delete data of people without an account, after this time. */
  async function after(days: number): Promise<void> {
    world.passTime(days * DAY_MS);
    await settle(world);
    await world.invitations.cleanUp();
    await world.notifications.forgetOldLinks();
    await settle(world);
  }

  test("who never answers is deleted once the request may be repeated", async () => {
    await askThird();
    expect(await traces()).toContain("invitations.invitation.address");
    await after(8);
    await after(31);
    expect(await tracesButMails()).toEqual([]);
    await call("POST", "/api/login", { email: "alice@example.com", password: PASSWORD });
    await call("POST", "/api/verify-code", { code: "123456" });
    expect((await call("POST", "/api/profile/delete", { password: PASSWORD })).status).toBe(200);
    await settle(world);
    expect(await traces()).toEqual([]);
  });

  test("who consented and withdrew is no longer monitored immediately, and deleted a year later", async () => {
    const token = await askThird();
    expect((await world.invitations.acceptLink(token, { details: true, sensitive: false })).ok).toBe(true);
    await settle(world);
    expect(await traces()).toContain("breaches.watch.address");
    expect((await world.invitations.withdrawLink(token, false)).ok).toBe(true);
    await settle(world);
    expect(await tracesButMails()).toEqual(["invitations.invitation.address"]);
    await after(364);
    expect(await tracesButMails()).toEqual(["invitations.invitation.address"]);
    await after(2);
    expect(await tracesButMails()).toEqual([]);
  });

  test("whose mailbox is somebody's contact is only stored with that account, and deleted with it", async () => {
    const contacts = { email: [MAILBOX] };
    await call("POST", "/api/associations", { address: "alice@example.com", owner: true, language: "en", contacts });
    await settle(world);
    expect(await traces()).toEqual(OF_THE_ACCOUNT);
    await call("POST", "/api/profile/delete", { password: PASSWORD });
    await settle(world);
    expect(await traces()).toEqual([]);
  });

  test("who has opened another person's Telegram link is deleted a week after it expired", async () => {
    const { notifications } = world.adapters.transactions;
    const { now, newId } = world.adapters.system;
    const candidate = { id: "7", username: THIRD, name: THIRD, languageCode: undefined };
    const link = { contactId: newId(), accountId: newId(), tokenHash: newId(), expiresAt: now(), usedAt: undefined };
    await notifications(({ telegram }) => telegram.putLink({ ...link, candidate }));
    await after(6);
    expect(await traces()).toEqual(["notifications.telegram_link.candidate"]);
    await after(2);
    expect(await traces()).toEqual([]);
  });
});
