import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { dataClassKey } from "../../src/shared/breach.ts";
import type { BreachChange } from "../../src/shared/breach_change.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { adobe, email, postOffice, translate } from "./post_office.ts";

const ALICE = "alice@breachbell.example";
const WATCHED = "bob@home.example";
const passwords: BreachChange = {
  at: "2026-02-27T23:30:00Z",
  addedClasses: ["Password hints", "Passwords"],
  removedClasses: ["Names"],
  addedFlags: [],
  removedFlags: [],
  count: { from: 1, to: 2 },
  happened: null,
  known: null,
  title: null,
  retired: null,
  worse: true,
};

/** Alice was alerted to the Adobe breach, which then became worse by `change`. */
async function told(language: Language, change: Partial<BreachChange> = {}, breach = adobe) {
  const post = postOffice();
  post.watch("bobs", WATCHED, [email(ALICE)]);
  const route = post.routes.get("bobs");
  if (route) post.routes.set("bobs", { ...route, language });
  post.changes.set("c1", { ...passwords, ...change });
  const alerts = [post.found("a1", "bobs", breach)];
  await post.onAlertsWorsened({ type: "breaches.alertsWorsened", breachName: "Adobe", changeId: "c1", alerts });
  return {
    ...post,
    alerts,
    async mail() {
      await post.deliverDue();
      const content = post.sender.sent.at(-1)?.content;
      if (!content) throw new Error("Expected a mail");
      return { content, ...layOut(content) };
    },
  };
}

describe.each([...LANGUAGES])("The mail about a breach that became worse, in %s", (language) => {
  const say = (key: string, params = {}) => translate(language, `mail.worse.${key}`, params);
  const day = (iso: string) => translate(language, "mail.date", { date: new Date(iso) });
  const label = (name: string) => translate(language, `data_classes.${dataClassKey(name)}`);

  test("states what came to light and when, then everything that an alert says", async () => {
    const { content, text, html } = await (await told(language)).mail();
    expect(content.subject).toBe(say("subject", { title: "Adobe", address: WATCHED }));
    expect(content.heading).toBe(say("heading"));
    const [, news] = content.blocks;
    expect(news).toEqual({ kind: "tags", label: say("new_data"), tags: ["Passwords", "Password hints"].map(label) });
    for (const part of [text, html]) {
      for (const date of [passwords.at, adobe.breachDate, adobe.addedDate]) expect(part).toContain(day(date ?? ""));
      for (const name of adobe.dataClasses) expect(part).toContain(label(name));
      expect(part).toContain(`https://breachbell.example/${language}/alerts?alert=a1`);
      expect(part).toContain(say("seen"));
      expect(part).toContain(WATCHED);
    }
    expect(content.blocks.some(({ kind }) => kind === "steps")).toBe(true);
    expect(content.links[0]?.url).toContain("manage-contact#t=");
    expect(content.attribution).toBeDefined();
    // It is not presented as a new breach.
    expect(text).not.toContain(translate(language, "mail.alert.intro", { address: WATCHED, title: "Adobe" }));
    for (const name of ["confirmed", "genuine", "origin"]) expect(text).not.toContain(say(name));
  });

  test("states that the breach is now verified, and that malware collected the data", async () => {
    const flagged = { ...adobe, flags: ["malware" as const, "stealerLog" as const] };
    const change: Partial<BreachChange> = {
      addedClasses: [],
      removedFlags: ["unverified", "fabricated"],
      addedFlags: ["malware", "stealerLog"],
    };
    const { text, content } = await (await told(language, change, flagged)).mail();
    for (const name of ["confirmed", "genuine", "origin"]) expect(text).toContain(say(name));
    for (const flag of flagged.flags) expect(text).toContain(translate(language, `flags.${flag}`));
    expect(JSON.stringify(content.blocks)).not.toContain(say("new_data"));
  });

  test("states only that there is news if no details are shared", async () => {
    const narrowed = async (change: Partial<BreachChange>) => {
      const post = await told(language, change);
      const facts = post.facts.get("a1");
      if (facts) post.facts.set("a1", { ...facts, breach: null, sources: [] });
      return (await post.mail()).content;
    };
    const contents = [await narrowed({}), await narrowed({ addedClasses: ["Credit cards"], addedFlags: ["malware"] })];
    const [one, other] = contents.map((content) => JSON.stringify(content).replaceAll(/#t=v1\.[\w.-]+/g, ""));
    expect(one).toBe(other ?? "");
    expect(contents[0]?.subject).toBe(say("hidden.subject", { address: WATCHED }));
    expect(contents[0]?.blocks.map(({ kind }) => kind)).toEqual(["paragraph", "paragraph", "button"]);
    const tellTales = ["Adobe", "adobe.com", label("Passwords"), day(passwords.at), day(adobe.breachDate ?? "")];
    for (const words of tellTales) expect(one).not.toContain(words);
    expect(one).toContain(translate(language, "mail.alert.hidden.ask"));
  });
});

describe("onAlertsWorsened()", () => {
  test("notifies each contact once per alert and change, in addition to the alert itself, however often it is repeated", async () => {
    const post = await told("en");
    const event = { type: "breaches.alertsWorsened" as const, breachName: "Adobe", alerts: post.alerts };
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: post.alerts });
    await post.onAlertsWorsened({ ...event, changeId: "c1" });
    await post.deliverDue();
    await post.onAlertsWorsened({ ...event, changeId: "c1" });
    post.changes.set("c2", { ...passwords, addedClasses: ["Credit cards"] });
    await post.onAlertsWorsened({ ...event, changeId: "c2" });
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.subject).toSorted()).toEqual([
      "Data breach: Adobe",
      "Now more serious: Adobe",
      "Now more serious: Adobe",
    ]);
    for (const subject of ["alert:a1", "alert:a1:c1", "alert:a1:c2"])
      expect(await post.deliveryOf(subject)).toMatchObject({ state: "sent", lane: 2 });
  });

  test("stores nothing of the change in the delivery log, which is part of the export", async () => {
    const post = await told("en");
    expect((await post.deliveryOf("alert:a1:c1")).about).toEqual({
      kind: "worse",
      associationId: "bobs",
      alertId: "a1",
      changeId: "c1",
    });
  });

  test("notifies nobody of a deleted or hidden alert, or of a removed association", async () => {
    const post = await told("en");
    post.facts.clear();
    await post.deliverDue();
    expect(await post.deliveryOf("alert:a1:c1")).toMatchObject({ state: "cancelled", reason: "alert_gone" });
    const other = await told("en");
    other.routes.clear();
    await other.deliverDue();
    expect(await other.deliveryOf("alert:a1:c1")).toMatchObject({ state: "cancelled", reason: "alert_gone" });
    expect([...post.sender.sent, ...other.sender.sent]).toEqual([]);
  });

  test("is stopped by unsubscribing from alerts", async () => {
    const post = await told("en");
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: post.alerts });
    const { text } = await post.mail();
    const token = /manage-contact#t=(\S+)/.exec(text)?.[1] ?? "";
    expect(await post.unsubscribe(token)).toMatchObject({ ok: true });
    post.changes.set("c2", passwords);
    const event = { type: "breaches.alertsWorsened" as const, breachName: "Adobe", alerts: post.alerts };
    await post.onAlertsWorsened({ ...event, changeId: "c2" });
    expect(await post.deliveryOf("alert:a1:c2")).toMatchObject({ state: "cancelled", reason: "unsubscribed" });
  });
});
