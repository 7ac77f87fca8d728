import { beforeEach, describe, expect, test } from "bun:test";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import type { InvitationStore } from "../../src/invitations/ports.ts";
import {
  ASKER_LIMIT,
  NETWORK_LIMIT,
  type StrangerMailRequest,
  takeStrangerMail,
} from "../../src/shared/stranger_mail.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { DAY } from "../support/clock.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);

describe.each(eachDatabase(memoryInvitations, postgresInvitations))("mail to unverified addresses on %s", (_, open) => {
  let store: TestStore<InvitationStore>;
  beforeEach(async () => {
    store = await open();
  });
  const take = (request: StrangerMailRequest, ms = 0) =>
    store.transaction(({ strangerMail }) => takeStrangerMail(strangerMail, request, at(ms)));
  const takeMany = (count: number, requestOf: (index: number) => StrangerMailRequest) =>
    Promise.all(Array.from({ length: count }, (_, index) => take(requestOf(index))));
  const gone = (results: unknown[]) => results.filter((refusal) => refusal === undefined).length;

  test("at most three are sent to one mailbox in seven days, for any number of concurrent requests", async () => {
    const results = await takeMany(30, (index) => ({ mailbox: "victim", asker: `asker ${index}` }));
    expect(gone(results)).toBe(3);
    expect(results.at(-1)).toEqual({ by: "mailbox", freeAt: at(7 * DAY) });
    expect(await take({ mailbox: "victim" }, 7 * DAY - 1)).toBeDefined();
    expect(await take({ mailbox: "victim" }, 7 * DAY)).toBeUndefined();
  });

  test("each requester has a daily limit, and each network has one", async () => {
    expect(gone(await takeMany(30, (index) => ({ mailbox: `m${index}`, asker: "alice" })))).toBe(ASKER_LIMIT.count);
    expect(await take({ mailbox: "other", asker: "alice" })).toEqual({ by: "asker", freeAt: at(DAY) });
    expect(await take({ mailbox: "other", asker: "bob" })).toBeUndefined();
    expect(await take({ mailbox: "other", asker: "alice" }, DAY)).toBeUndefined();
    const wider = { asker: "domain", askerLimit: { count: ASKER_LIMIT.count + 5, withinMs: DAY } };
    const asked = await takeMany(30, (index) => ({ mailbox: `d${index}`, ...wider }));
    expect(gone(asked)).toBe(ASKER_LIMIT.count + 5);
    const mails = store.transaction(({ strangerMail }) =>
      strangerMail.list({ mailboxes: [], asker: "domain", network: undefined }, at(-1)),
    );
    expect(await mails).toHaveLength(ASKER_LIMIT.count + 5);
    const many: unknown[] = [];
    for (let index = 0; index < NETWORK_LIMIT.count + 5; index++)
      many.push(await take({ mailbox: `n${index}`, network: "net" }));
    expect(gone(many)).toBe(NETWORK_LIMIT.count);
  });

  test("one more is reserved for an owner whose network has not sent to the mailbox, and only one", async () => {
    const code = (network: string) => ({ mailbox: "victim", network, claimed: true });
    expect(gone(await takeMany(14, () => code("stranger")))).toBe(3);
    expect(await take({ mailbox: "victim", asker: "alice" })).toBeDefined();
    expect(gone(await takeMany(5, (index) => code(`home ${index}`)))).toBe(1);
  });

  test("a verification removes the owner's own mails from the count, and nothing else", async () => {
    for (const claimed of [true, true, false]) await take({ mailbox: "mine", network: "home", claimed });
    await store.transaction(({ strangerMail }) => strangerMail.removeClaimed("mine"));
    expect(gone(await takeMany(5, () => ({ mailbox: "mine" })))).toBe(2);
  });

  test("a mail that is only pretended counts for its sender only", async () => {
    expect(gone(await takeMany(5, () => ({ mailbox: "victim", unsent: "shadow" })))).toBe(3);
    expect(gone(await takeMany(5, () => ({ mailbox: "victim" })))).toBe(3);
  });

  test("expired entries are deleted, and a rolled back transaction counts nothing", async () => {
    await take({ mailbox: "victim" });
    const failing = store.transaction(async ({ strangerMail }) => {
      await takeStrangerMail(strangerMail, { mailbox: "victim" }, at(1));
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    const rows = () =>
      store.transaction(({ strangerMail }) =>
        strangerMail.list({ mailboxes: ["victim"], asker: undefined, network: undefined }, at(-1)),
      );
    expect(await rows()).toEqual([
      { mailbox: "victim", asker: undefined, network: undefined, claimed: false, at: at(0) },
    ]);
    await store.transaction(({ strangerMail }) => strangerMail.removeBefore(at(1)));
    expect(await rows()).toEqual([]);
  });
});
