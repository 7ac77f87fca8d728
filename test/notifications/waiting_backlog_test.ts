import { describe, expect, test } from "bun:test";
import type { NotificationDeps } from "../../src/notifications/mod.ts";
import type { Delivery, NotificationStore } from "../../src/notifications/ports.ts";
import { delivery } from "./ledger.ts";
import { postOffice } from "./post_office.ts";

/** More than the job reads at a time. */
const MANY = 450;

/** Messages that are due, one for each of many contacts. */
async function backlog(overrides: Partial<NotificationDeps> = {}) {
  const post = postOffice(overrides);
  const runAt = post.deps.now();
  const rows = Array.from({ length: MANY }, (_, number): Delivery => {
    const contactId = crypto.randomUUID();
    return delivery(`alert:${number}`, { contactId, state: "held", reason: "digest", runAt });
  });
  await post.deps.transaction(({ deliveries }) => deliveries.addMissing(rows));
  const waiting = async () => {
    const due = await post.deps.transaction((store) => store.waiting.listDue(runAt, undefined, MANY));
    return due.map(({ id }) => id);
  };
  return { ...post, rows, waiting };
}

type Post = Awaited<ReturnType<typeof backlog>>;

/** Another process, to which these contacts cannot be read. */
function broken(post: Post, isBroken: (contactId: string) => boolean) {
  const around = (store: NotificationStore): NotificationStore => ({
    ...store,
    waiting: {
      ...store.waiting,
      async lockDue(contactId, ...more) {
        if (isBroken(contactId)) throw new Error(`cannot read ${contactId}`);
        return store.waiting.lockDue(contactId, ...more);
      },
    },
  });
  return post.anotherWorker({ transaction: (work) => post.deps.transaction((store) => work(around(store))) });
}

describe("gatherDue()", () => {
  test("releases what is due for any number of contacts in one run", async () => {
    const post = await backlog();
    expect(await post.gatherDue()).toBe(MANY);
    expect(await post.waiting()).toEqual([]);
    expect(await post.gatherDue()).toBe(0);
  });

  test("releases everything that is due for one contact, however much it is", async () => {
    const post = await backlog();
    const contactId = crypto.randomUUID();
    const some = post.rows.map(
      ({ subject, runAt }): Delivery =>
        delivery(`more:${subject}`, { contactId, state: "held", reason: "quiet", runAt }),
    );
    await post.deps.transaction(({ deliveries }) => deliveries.addMissing(some));
    expect(await post.gatherDue()).toBe(2 * MANY);
    expect(await post.waiting()).toEqual([]);
  });

  test("skips a contact that fails until the next run, and reports it", async () => {
    const post = await backlog();
    const [first] = await post.waiting();
    expect(await broken(post, (id) => id === first).gatherDue()).toBe(MANY - 1);
    expect(post.reports).toEqual([new Error(`cannot read ${first}`)]);
    expect(await post.waiting()).toEqual([first ?? ""]);
    expect(await post.gatherDue()).toBe(1);
  });

  test("ends when every contact fails", async () => {
    const post = await backlog();
    expect(await broken(post, () => true).gatherDue()).toBe(0);
    expect(post.reports).toHaveLength(MANY);
    expect(await post.gatherDue()).toBe(MANY);
  });

  test("ends between two contacts when it is stopped", async () => {
    const post = await backlog();
    let asked = 0;
    expect(await post.gatherDue(() => ++asked > 7)).toBe(7);
    expect(await post.waiting()).toHaveLength(MANY - 7);
  });
});
