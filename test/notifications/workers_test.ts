import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { eachDatabase } from "../support/postgres.ts";
import { email, postOffice } from "./post_office.ts";

const ALICE_ID = "0195f2b0-0000-7000-8000-00000000a11c";
const ALICE = "alice@breachbell.example";
const CAROL = "carol@else.example";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("workers on %s", (_, open) => {
  async function office() {
    const { transaction } = await open();
    const post = postOffice({ transaction });
    const alice = post.accounts.get("alice");
    if (alice) post.accounts.set(ALICE_ID, alice);
    return post;
  }

  test("deliverDue() sends each message once with any number of workers", async () => {
    const post = await office();
    post.watch("home", "alice@home.example", [email(ALICE)], ALICE_ID);
    const ids = Array.from({ length: 40 }, (_, n) => `a${n}`);
    await post.raiseEach(ids.map((id) => post.found(id, "home")));
    const workers = [post, post.anotherWorker(), post.anotherWorker()];
    const taken = await Promise.all(workers.map((worker) => worker.deliverDue()));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(new Set(post.sender.sent.map(({ messageId }) => messageId)).size).toBe(40);
    expect(post.sender.sent).toHaveLength(40);
    expect(await post.backlog()).toEqual({ due: 0, retrying: 0, oldestDueAt: undefined, held: 0, dead: 0, inDoubt: 0 });
    expect(post.reports).toEqual([]);
  });

  test("confirm() leaves no alert behind that is being queued concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const post = await office();
      post.watch("home", "alice@home.example", [email(CAROL)], ALICE_ID);
      await post.onContactsChanged({
        type: "tracking.contactsChanged",
        associationId: "home",
        accountId: ALICE_ID,
        language: "en",
        contacts: [email(CAROL)],
      });
      await post.deliverDue();
      const token = post.linkToken(CAROL);
      const ids = Array.from({ length: 6 }, (_, n) => `a${n}`);
      const raise = (id: string) =>
        post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(id, "home")] });
      await Promise.all([...ids.slice(0, 3).map(raise), post.confirm(token), ...ids.slice(3).map(raise)]);
      await post.deliverDue();
      expect(post.sentTo().filter((to) => to === CAROL)).toHaveLength(7);
      expect((await post.backlog()).held).toBe(0);
    }
  });

  test("onContactsChanged() asks once if several processes receive the event", async () => {
    const post = await office();
    const event = {
      type: "tracking.contactsChanged" as const,
      associationId: "home",
      accountId: ALICE_ID,
      language: "en" as const,
      contacts: [email(CAROL), email("dave@else.example")],
    };
    await Promise.all(Array.from({ length: 5 }, () => post.onContactsChanged(event)));
    await post.deliverDue();
    expect(post.sentTo().sort()).toEqual([CAROL, "dave@else.example"]);
  });
});
