import { describe, expect, test } from "bun:test";
import type { NotificationDeps } from "../../src/notifications/mod.ts";
import type { ReceiptFate } from "../../src/notifications/ports.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { HOUR, MINUTE, postOffice } from "./post_office.ts";

const NOT_YET: ReceiptFate = { acknowledgedAt: null, expired: false };
const SEEN_AT = new Date("2026-03-02T08:00:09.000Z");
const SEEN: ReceiptFate = { acknowledgedAt: SEEN_AT, expired: false };

/** A provider of emergencies with scripted receipts that records its requests. */
function emergencies() {
  const fates = new Map<string, ReceiptFate | "unknown" | Error>();
  const looks: string[] = [];
  const cancelled: string[] = [];
  const faults = { cancels: true };
  const sender = memorySender();
  return {
    fates,
    looks,
    cancelled,
    faults,
    sender: {
      ...sender,
      receipts: {
        async look(receipt: string) {
          looks.push(receipt);
          const fate = fates.get(receipt) ?? NOT_YET;
          if (fate instanceof Error) throw fate;
          return fate;
        },
        async cancel(receipt: string) {
          cancelled.push(receipt);
          return faults.cancels;
        },
      },
    },
    next: (receipt: string) => sender.answer({ kind: "delivered", providerId: "request", receipt }),
  };
}

/** Alice received alert "a1" as an emergency, and its first poll is due. */
async function called(alertIds = ["a1"], changes: Partial<NotificationDeps> = {}) {
  const provider = emergencies();
  const post = postOffice({ senders: { email: provider.sender }, ...changes });
  post.watch("home", "alice@home.example", [{ channel: "email", value: "alice@breachbell.example" }]);
  for (const id of alertIds) {
    provider.next(`receipt-${id}`);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(id, "home")] });
    await post.deliverDue();
  }
  post.advance(10_000);
  const handle = (id = "a1") => {
    const facts = post.facts.get(id);
    if (facts) post.facts.set(id, { ...facts, state: "handled", version: 2 });
  };
  const row = async (id = "a1") => {
    const rows = await post.listAlertDeliveries("alice", id);
    return rows.ok ? rows.value.items[0] : undefined;
  };
  return { ...post, ...provider, handle, row };
}

test("An emergency is polled until it was seen, and the delivery log then shows the time", async () => {
  const post = await called();
  expect(await post.row()).toMatchObject({ state: "accepted", providerId: "request", acknowledgedAt: null });
  expect(await post.followReceipts()).toBe(1);
  expect(await post.row()).toMatchObject({ acknowledgedAt: null });
  post.fates.set("receipt-a1", SEEN);
  post.advance(10_000);
  expect(await post.followReceipts()).toBe(1);
  expect(await post.row()).toMatchObject({ state: "accepted", acknowledgedAt: SEEN_AT.toISOString() });
  const { deliveries } = await post.recordsOf("alice");
  expect(deliveries).toMatchObject([{ receipt: "receipt-a1", acknowledgedAt: SEEN_AT, providerId: "request" }]);
  // No further requests.
  post.handle();
  post.advance(HOUR);
  expect(await post.followReceipts()).toBe(0);
  expect(post.looks).toHaveLength(2);
  expect(post.cancelled).toEqual([]);
});

test("Its provider is polled at most every ten seconds, however often and by however many processes", async () => {
  const post = await called();
  const other = post.anotherWorker();
  post.advance(-1);
  expect(await post.followReceipts()).toBe(0);
  post.advance(1);
  const counts = await Promise.all([post, other, post, other].map((worker) => worker.followReceipts()));
  expect(counts.toSorted()).toEqual([0, 0, 0, 1]);
  post.advance(9_999);
  for (const worker of [post, other]) expect(await worker.followReceipts()).toBe(0);
  expect(post.looks).toEqual(["receipt-a1"]);
  post.advance(1);
  expect(await other.followReceipts()).toBe(1);
  expect(post.looks).toHaveLength(2);
});

test("An emergency whose alert was handled meanwhile is cancelled once", async () => {
  const post = await called();
  const other = post.anotherWorker();
  post.handle();
  await Promise.all([post.followReceipts(), other.followReceipts()]);
  expect(post.cancelled).toEqual(["receipt-a1"]);
  post.advance(MINUTE);
  for (const worker of [post, other]) expect(await worker.followReceipts()).toBe(0);
  expect(post.cancelled).toEqual(["receipt-a1"]);
  expect(await post.row()).toMatchObject({ acknowledgedAt: null });
});

test("An emergency that was seen before its alert was handled is recorded as seen, and not cancelled", async () => {
  const post = await called();
  post.fates.set("receipt-a1", SEEN);
  post.handle();
  await post.followReceipts();
  expect(await post.row()).toMatchObject({ acknowledgedAt: SEEN_AT.toISOString() });
  expect(post.cancelled).toEqual([]);
});

test("An emergency whose alert is gone is cancelled, even if everything known about it was deleted", async () => {
  const gone = await called();
  gone.facts.clear();
  await gone.followReceipts();
  expect(gone.cancelled).toEqual(["receipt-a1"]);

  const deleted = await called();
  await deleted.onDeleted({ type: "identity.deleted", accountId: "alice" });
  expect(await deleted.everything()).toEqual([]);
  await deleted.followReceipts();
  expect(deleted.cancelled).toEqual(["receipt-a1"]);
  deleted.advance(MINUTE);
  expect(await deleted.followReceipts()).toBe(0);
});

test("A failed cancellation is retried, without affecting other emergencies", async () => {
  const post = await called(["a1", "a2"]);
  post.handle("a2");
  post.faults.cancels = false;
  expect(await post.followReceipts()).toBe(2);
  expect(post.cancelled).toEqual(["receipt-a2"]);
  post.faults.cancels = true;
  post.advance(10_000);
  await post.followReceipts();
  expect(post.cancelled).toEqual(["receipt-a2", "receipt-a2"]);
  post.advance(10_000);
  expect(await post.followReceipts()).toBe(1);
  expect(post.looks.at(-1)).toBe("receipt-a1");
});

test("A provider that does not respond is not polled until the next run, and nothing is lost", async () => {
  const post = await called(["a1", "a2"]);
  post.fates.set("receipt-a1", "unknown");
  post.fates.set("receipt-a2", SEEN);
  expect(await post.followReceipts()).toBe(1);
  post.advance(15_000);
  // Unreached receipts come first, so that one receipt cannot block the others.
  expect(await post.followReceipts()).toBe(2);
  expect(post.looks).toEqual(["receipt-a1", "receipt-a2", "receipt-a1"]);
  expect(await post.row("a2")).toMatchObject({ acknowledgedAt: SEEN_AT.toISOString() });
  expect(await post.row("a1")).toMatchObject({ acknowledgedAt: null });
});

test("A handled alert is cancelled even if it is unknown whether it was seen", async () => {
  const post = await called();
  post.fates.set("receipt-a1", "unknown");
  post.handle();
  await post.followReceipts();
  expect(post.cancelled).toEqual(["receipt-a1"]);
  post.advance(MINUTE);
  expect(await post.followReceipts()).toBe(0);
});

test("An expired emergency is finished", async () => {
  const post = await called();
  post.fates.set("receipt-a1", { acknowledgedAt: null, expired: true });
  post.handle();
  expect(await post.followReceipts()).toBe(1);
  post.advance(MINUTE);
  expect(await post.followReceipts()).toBe(0);
  expect(post.cancelled).toEqual([]);
  expect(await post.row()).toMatchObject({ acknowledgedAt: null });
});

test("Polling ends after three hours", async () => {
  const post = await called();
  post.fates.set("receipt-a1", "unknown");
  post.advance(3 * HOUR - 10_001);
  await post.followReceipts();
  expect(post.looks).toHaveLength(1);
  post.advance(10_001);
  expect(await post.followReceipts()).toBe(1);
  post.advance(HOUR);
  expect(await post.followReceipts()).toBe(0);
  expect(post.looks).toHaveLength(1);
});

test("A worker that dies midway leaves the emergency to others after a minute", async () => {
  const post = await called();
  const crash = new Error("the process died");
  post.fates.set("receipt-a1", crash);
  expect(await post.followReceipts()).toBe(1);
  expect(post.reports).toEqual([crash]);
  post.fates.set("receipt-a1", SEEN);
  const other = post.anotherWorker();
  post.advance(MINUTE - 1);
  expect(await other.followReceipts()).toBe(0);
  post.advance(1);
  expect(await other.followReceipts()).toBe(1);
  expect(await post.row()).toMatchObject({ acknowledgedAt: SEEN_AT.toISOString() });
});

test("A worker that dies after cancelling, before recording it, leaves no repeating emergency", async () => {
  const post = await called();
  post.handle();
  let writes = 0;
  const dying = post.anotherWorker({
    transaction: (work) =>
      post.deps.transaction((store) => {
        writes += 1;
        // Claim, look up the delivery, and then finish.
        if (writes > 2) throw new Error("the process died");
        return work(store);
      }),
  });
  await expect(dying.followReceipts()).rejects.toThrow("the process died");
  expect(post.cancelled).toEqual(["receipt-a1"]);
  post.fates.set("receipt-a1", { acknowledgedAt: null, expired: true });
  post.advance(MINUTE);
  expect(await post.followReceipts()).toBe(1);
  // Its provider says that it has ended, so it is not cancelled again.
  expect(post.cancelled).toEqual(["receipt-a1"]);
  post.advance(MINUTE);
  expect(await post.followReceipts()).toBe(0);
});

test("Messages that are no emergencies are not polled", async () => {
  const post = postOffice();
  post.watch("home", "alice@home.example", [{ channel: "email", value: "alice@breachbell.example" }]);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  await post.deliverDue();
  post.advance(MINUTE);
  expect(post.sender.sent).toHaveLength(1);
  expect(await post.followReceipts()).toBe(0);
});

describe("More emergencies than fit between two runs", () => {
  const MANY = 120;
  const receipts = Array.from({ length: MANY }, (_, number) => `receipt-${number}`);

  /** All of them are due. */
  async function crowd() {
    const provider = emergencies();
    const post = postOffice({ senders: { email: provider.sender } });
    const [sentAt, channel] = [post.deps.now(), "email" as const];
    await post.deps.transaction(async (store) => {
      for (const receipt of receipts)
        await store.receipts.open({ receipt, channel, deliveryId: crypto.randomUUID(), sentAt, lookAt: sentAt });
    });
    // Their deliveries are gone, which cancels an emergency.
    provider.faults.cancels = false;
    return { ...post, ...provider };
  }

  test("are polled in one run, each once, even if it takes until the first are due again", async () => {
    const post = await crowd();
    const { look } = post.sender.receipts;
    post.sender.receipts.look = async (receipt) => {
      post.advance(1000);
      return look(receipt);
    };
    expect(await post.followReceipts()).toBe(MANY);
    expect(post.looks.toSorted()).toEqual(receipts.toSorted());
  });

  test("are polled although some fail, which are skipped until they are due again", async () => {
    const post = await crowd();
    for (const receipt of receipts.slice(0, 60)) post.fates.set(receipt, new Error(receipt));
    expect(await post.followReceipts()).toBe(MANY);
    expect(post.reports).toHaveLength(60);
    expect(await post.followReceipts()).toBe(0);
  });

  test("are left for the next run when it is stopped", async () => {
    const post = await crowd();
    expect(await post.followReceipts(() => post.looks.length >= 7)).toBe(7);
    expect(post.looks).toHaveLength(7);
    expect(await post.followReceipts()).toBe(MANY - 7);
  });
});
