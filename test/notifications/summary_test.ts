import { describe, expect, test } from "bun:test";
import { createNotifications } from "../../src/notifications/mod.ts";
import type { SummaryFacts } from "../../src/notifications/ports.ts";
import { duePeriod, rangeOf } from "../../src/notifications/summaries/summary.ts";
import { summaryToken } from "../../src/notifications/summaries/summary_link.ts";
import { mortal } from "../support/mortal.ts";
import { DAY, email, HOUR, keys, postOffice } from "./post_office.ts";

const FACTS: SummaryFacts = {
  watched: 12,
  addresses: [
    { address: "alice@home.example", pending: 2, checkedAt: new Date("2026-03-30T06:00:00Z") },
    { address: "alice@work.example", pending: 0, checkedAt: undefined },
  ],
  found: 3,
  handled: 2,
  pending: 2,
  lateSince: undefined,
};

/** Alice has the summary enabled since 2 March; records the month whose facts are requested. */
async function summaryOffice(facts: Partial<SummaryFacts> = {}) {
  const asked: { accountId: string; from: string; to: string }[] = [];
  const post = postOffice({
    summaryFacts: {
      async of(accountId, { from, to }) {
        asked.push({ accountId, from: from.toISOString(), to: to.toISOString() });
        return { ...FACTS, ...facts };
      },
    },
  });
  await post.setSummary("alice", "month");
  const token = summaryToken(keys.mac, "alice", "month");
  const run = async (ms: number) => {
    post.advance(ms);
    const sent = await post.summariseDue();
    await post.deliverDue();
    return sent;
  };
  return { ...post, asked, token, run };
}
/** From 2 March 08:00 to 1 April 08:00. */
const TO_APRIL = 30 * DAY;

describe("duePeriod()", () => {
  test.each([
    ["2026-11-01T07:59:59.999Z", "2026-09"],
    ["2026-11-01T08:00:00.000Z", "2026-10"],
    ["2026-11-30T23:59:59.999Z", "2026-10"],
    ["2026-12-01T00:00:00.000Z", "2026-10"],
    ["2027-01-01T08:00:00.000Z", "2026-12"],
    ["2027-02-01T07:59:00.000Z", "2026-12"],
  ])("at %s it is %s", (now, month) => {
    expect(duePeriod("month", new Date(now))).toBe(month);
  });

  test("is the past year from the first of January on", () => {
    const yearAt = (now: string) => duePeriod("year", new Date(now));
    expect([yearAt("2027-01-01T07:59:59.999Z"), yearAt("2027-01-01T08:00:00.000Z")]).toEqual(["2025", "2026"]);
    expect(rangeOf("2026")).toEqual({ from: new Date("2026-01-01"), to: new Date("2027-01-01") });
  });

  test("a month ends where the next one begins", () => {
    expect(rangeOf("2026-12")).toEqual({ from: new Date("2026-12-01"), to: new Date("2027-01-01") });
  });
});

describe("The monthly summary", () => {
  test("is sent on the first at 08:00 to the account's own address, once, and again the next month", async () => {
    const { run, sender, asked } = await summaryOffice();
    expect(await run(0)).toBe(0);
    expect(await run(TO_APRIL - 1)).toBe(0);
    expect(await run(1)).toBe(1);
    expect(await run(0)).toBe(0);
    expect(await run(29 * DAY)).toBe(0);
    const [mail] = sender.sent;
    expect(mail).toMatchObject({ to: email("alice@breachbell.example"), kind: "monthly_summary" });
    expect(mail?.content.subject).toBe("Your addresses in March 2026");
    expect(mail?.content.preview).toBe("3 new alerts. 2 alerts need your attention.");
    expect(asked).toEqual([{ accountId: "alice", from: "2026-03-01T00:00:00.000Z", to: "2026-04-01T00:00:00.000Z" }]);
    expect(await run(DAY)).toBe(1);
    expect(sender.sent).toHaveLength(2);
  });

  test("contains addresses, checks, pending alerts, and contacts that need attention", async () => {
    const { run, watch, onContactsChanged, sender, routes } = await summaryOffice({
      lateSince: new Date("2026-03-31T10:00:00Z"),
    });
    const contacts = [email("friend@example.net"), email("alice@breachbell.example")];
    watch("home", "alice@home.example", contacts);
    const about = { associationId: "home", accountId: "alice", language: "en" as const };
    await onContactsChanged({ type: "tracking.contactsChanged", ...about, contacts });
    await run(0);
    sender.sent.length = 0;
    await run(TO_APRIL);
    const text = JSON.stringify(sender.sent[0]?.content);
    expect(text).toContain("12 addresses");
    expect(text).toContain("March 30, 2026");
    expect(text).toContain("not checked yet");
    expect(text).toContain("10 more addresses are on the dashboard.");
    expect(text).toContain("friend@example.net. Alerts may not reach these contacts.");
    expect(text).toContain("Since March 31, 2026, some addresses could not be checked.");
    // A contact that no address uses any more needs no attention.
    routes.clear();
    sender.sent.length = 0;
    await run(30 * DAY);
    expect(sender.sent).toHaveLength(1);
    expect(JSON.stringify(sender.sent[0]?.content)).not.toContain("friend@example.net");
  });

  test("is not sent for a month that had ended when it was enabled, nor twice when it is enabled again", async () => {
    const post = postOffice();
    await post.setSummary("alice", "month");
    expect(await post.summariseDue()).toBe(0);
    post.advance(TO_APRIL);
    expect(await post.summariseDue()).toBe(1);
    await post.setSummary("alice", null);
    await post.setSummary("alice", "month");
    expect(await post.summariseDue()).toBe(0);
    expect(await post.showSummary("alice")).toEqual({ ok: true, value: { every: "month" } });
  });

  test("after an outage of months covers only the last one", async () => {
    const { run, sender } = await summaryOffice();
    expect(await run(100 * DAY)).toBe(1);
    expect(sender.sent.map(({ content }) => content.subject)).toEqual(["Your addresses in May 2026"]);
  });

  test("that is disabled before it is sent is not sent", async () => {
    const { advance, summariseDue, deliverDue, setSummary, sender, ledger } = await summaryOffice();
    advance(TO_APRIL);
    await summariseDue();
    await setSummary("alice", null);
    await deliverDue();
    expect(sender.sent).toEqual([]);
    expect(await ledger()).toMatchObject([{ state: "cancelled", reason: "unsubscribed" }]);
  });

  test("is not sent to an unverified address, nor to a deleted account", async () => {
    const { run, accounts, setSummary, sender } = await summaryOffice();
    await setSummary("nobody", "month");
    accounts.set("alice", { email: "alice@breachbell.example", language: "en", firstName: "Alice", verified: false });
    expect(await run(TO_APRIL)).toBe(0);
    expect(sender.sent).toEqual([]);
  });

  test("ends with its account", async () => {
    const { onDeleted, recordsOf, showSummary } = await summaryOffice();
    expect((await recordsOf("alice")).monthlySummary).toEqual({
      accountId: "alice",
      every: "month",
      through: "2026-02",
    });
    await onDeleted({ type: "identity.deleted", accountId: "alice" });
    expect(await showSummary("alice")).toEqual({ ok: true, value: { every: null } });
  });

  test("is created once by ten concurrent processes", async () => {
    const { advance, anotherWorker, deliverDue, sender } = await summaryOffice();
    advance(TO_APRIL);
    const made = await Promise.all(Array.from({ length: 10 }, () => anotherWorker().summariseDue()));
    expect(made.reduce((sum, count) => sum + count)).toBe(1);
    await deliverDue();
    expect(sender.sent).toHaveLength(1);
  });

  test("is sent once, whichever step of creating it a process dies at", async () => {
    async function lives(at: number, when: "before" | "after") {
      const { advance, deps, run, sender } = await summaryOffice();
      advance(TO_APRIL);
      const life = mortal(at, when);
      const transaction: typeof deps.transaction = (work) => life.step(() => deps.transaction(work));
      await createNotifications({ ...deps, transaction })
        .summariseDue()
        .catch(() => undefined);
      await run(HOUR);
      return { steps: life.steps(), sent: sender.sent.length };
    }
    const { steps } = await lives(Number.POSITIVE_INFINITY, "before");
    // The second one looks for yearly summaries.
    expect(steps).toBe(3);
    for (let at = 0; at < steps; at += 1)
      for (const when of ["before", "after"] as const) expect((await lives(at, when)).sent).toBe(1);
  });
});

describe("The link in a monthly summary", () => {
  test("disables the summary only, and can undo that", async () => {
    const { run, token, sender, inspectLink, unsubscribe, resubscribe, showSummary, statesOf } = await summaryOffice();
    await run(TO_APRIL);
    const [mail] = sender.sent;
    expect(mail?.oneClickUrl).toBe(`https://breachbell.example/u/${token}`);
    expect(mail?.content.links.map(({ url }) => url)).toEqual([
      `https://breachbell.example/en/manage-contact#t=${token}`,
    ]);
    const link = { purpose: "summary", channel: "email", value: "a•••@breachbell.example", language: "en" } as const;
    expect(await inspectLink(token)).toEqual({ ok: true, value: { ...link, state: "active" } });
    expect(await showSummary("alice")).toEqual({ ok: true, value: { every: "month" } });
    const contacts = await statesOf("alice");
    expect(await unsubscribe(token)).toEqual({ ok: true, value: { state: "unsubscribed" } });
    expect(await unsubscribe(token)).toEqual({ ok: true, value: { state: "unsubscribed" } });
    expect(await inspectLink(token)).toEqual({ ok: true, value: { ...link, state: "unsubscribed" } });
    expect(await statesOf("alice")).toEqual(contacts);
    expect(await run(31 * DAY)).toBe(0);
    expect(await resubscribe(token)).toEqual({ ok: true, value: { state: "active" } });
    expect(await run(0)).toBe(0);
    expect(await run(31 * DAY)).toBe(1);
  });

  test("is invalid when it is forged, of another kind, or its account was deleted", async () => {
    const { token, accounts, inspectLink, unsubscribe, showSummary } = await summaryOffice();
    const invalid = { ok: false, code: "LINK_INVALID" } as const;
    const [kind, , mac] = token.split(".");
    for (const forged of [
      `${token}x`,
      `${kind}.bob.${mac}`,
      `v1.alice.${mac}`,
      "summary.alice",
      "summary",
      "",
      "...",
    ]) {
      expect(await inspectLink(forged)).toEqual(invalid);
      expect(await unsubscribe(forged)).toEqual(invalid);
    }
    expect(await showSummary("alice")).toEqual({ ok: true, value: { every: "month" } });
    accounts.delete("alice");
    expect(await inspectLink(token)).toEqual(invalid);
    expect(await unsubscribe(token)).toEqual(invalid);
  });
});
