import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BreachFacts, dataClassKey, SOURCE_FLAGS } from "../../src/shared/breach.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { DAY, email, postOffice, translate } from "./post_office.ts";
import { messageTo, peerAndSender } from "./sample_mail.ts";

const ALICE = "alice@breachbell.example";
const WATCHED = "bob@home.example";

type Entry = { Name: string; Title: string; Domain: string; BreachDate: string; AddedDate: string };
const path = join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled/bundled_catalogue.json");
const catalogue = JSON.parse(readFileSync(path, "utf8")) as (Entry & { DataClasses: string[]; PwnCount: number })[];
/** Without facts dated on the day of these tests, which a mail does contain. */
const usable = catalogue.filter((entry) => !`${entry.BreachDate} ${entry.AddedDate}`.includes("2026-03-02"));
const step = Math.floor(usable.length / 200);
const sample = usable
  .filter((_, index) => index % step === 0)
  .slice(0, 200)
  .map(
    (entry): BreachFacts => ({
      name: entry.Name,
      title: entry.Title,
      domain: entry.Domain,
      breachDate: entry.BreachDate,
      addedDate: entry.AddedDate,
      dataClasses: entry.DataClasses,
      pwnCount: entry.PwnCount,
      logo: null,
      passwordStorage: "unknown",
      manyServices: false,
      flags: [...SOURCE_FLAGS],
    }),
  );

/** Alice tracks Bob's address; `found` are pending for her in `language`. */
async function waiting(language: Language, found: BreachFacts[], as: "alerts" | "joined" | "report") {
  const post = postOffice();
  post.watch("bobs", WATCHED, [email(ALICE)]);
  const route = post.routes.get("bobs");
  if (route) post.routes.set("bobs", { ...route, language });
  const alerts = found.map((breach, index) => post.found(`a${index}`, "bobs", breach));
  if (as === "alerts") await post.raiseEach(alerts);
  else if (as === "joined") await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts });
  else {
    const alertIds = alerts.map(({ alertId }) => alertId);
    await post.onBaselineReady({
      type: "breaches.baselineReady",
      associationId: "bobs",
      accountId: "alice",
      alertIds,
    });
  }
  return {
    ...post,
    /** Bob withdraws the details of these. */
    narrow(ids: string[] = [...post.facts.keys()]): void {
      for (const id of ids) {
        const facts = post.facts.get(id);
        if (facts) post.facts.set(id, { ...facts, breach: null });
      }
    },
  };
}

/** Everything about a breach that must not be shown, as formatted in `language`. */
function tellTales(
  { title, domain, dataClasses, flags, pwnCount, breachDate, addedDate }: BreachFacts,
  language: Language,
) {
  const day = (iso: string) => translate(language, "mail.date", { date: new Date(iso) });
  const happened = breachDate ?? "";
  return [
    ...[title, domain, happened, addedDate, day(happened), day(addedDate), String(pwnCount)],
    translate(language, "mail.number", { number: pwnCount }),
    ...dataClasses.map((label) => translate(language, `data_classes.${dataClassKey(label)}`)),
    ...flags.flatMap((flag) => [translate(language, `flags.${flag}_label`), translate(language, `flags.${flag}`)]),
  ].filter((words) => words !== "");
}

/** Breach data that appears in `text` as separate words; a random token may contain "T2". */
function leaksIn(text: string, language: Language): string[] {
  const words = new Set(sample.flatMap((breach) => tellTales(breach, language)));
  const said = text.replaceAll(/v1\.[\w.-]+/g, "");
  const folded = said.toLowerCase();
  return [...words].filter((one) => {
    if (!folded.includes(one.toLowerCase())) return false;
    const escaped = one.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "iu").test(said);
  });
}

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe.each([...LANGUAGES])("without details, in %s", (language) => {
  test("no alert shows anything of its breach if narrowed while pending", async () => {
    expect(sample).toHaveLength(200);
    const post = await waiting(language, sample, "alerts");
    post.narrow();
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(200);
    // Both are identical: nothing in them comes from the breach.
    const contents = post.sender.sent.map(({ content }) =>
      JSON.stringify(content).replaceAll(/alert=a\d+|"alertId":"a\d+"/g, ""),
    );
    expect(new Set(contents).size).toBe(1);
    expect(contents[0]).toContain(translate(language, "mail.alert.hidden.ask"));
    expect(leaksIn(contents[0] ?? "", language)).toEqual([]);
  });

  test("the mail itself, including its headers, contains only the address and the day", async () => {
    const post = await waiting(language, sample.slice(0, 1), "alerts");
    post.narrow();
    await post.deliverDue();
    const { peer, sender } = await peerAndSender(cleanUps);
    for (const message of post.sender.sent) await sender.send(messageTo(ALICE, message));
    const { subject, html = "", text = "", headers = [] } = peer.received[0]?.mail ?? {};
    for (const part of [html, text]) {
      expect(part).toContain(WATCHED);
      expect(part).toContain(translate(language, "mail.date", { date: new Date("2026-03-02T08:00:00Z") }));
    }
    expect(subject).toContain(WATCHED);
    const readable = headers.filter(
      ({ key }) => !["date", "content-type", "message-id", "x-entity-ref-id"].includes(key),
    );
    expect(readable.map(({ key }) => key)).toContain("list-unsubscribe");
    const said = html.replace(/<style>.*?<\/style>/s, "").replaceAll(/style="[^"]*"/g, "");
    expect(leaksIn(`${JSON.stringify(readable)} ${subject} ${said} ${text}`, language)).toEqual([]);
  });

  test("several in one message only show their number and dates", async () => {
    const post = await waiting(language, sample.slice(0, 30), "joined");
    post.narrow();
    await post.deliverDue();
    const [message, ...more] = post.sender.sent;
    expect(more).toEqual([]);
    expect(message?.content.subject).toMatch(/\b30\b/);
    expect(message?.content.blocks.map(({ kind }) => kind)).toEqual(["paragraph", "paragraph", "button", "breaches"]);
    expect(leaksIn(JSON.stringify(message?.content), language)).toEqual([]);
  });

  test("a report shows only the number", async () => {
    const post = await waiting(language, sample.slice(0, 30), "report");
    post.narrow();
    await post.deliverDue();
    const [message] = post.sender.sent;
    const whole = JSON.stringify(message?.content);
    expect(message?.content.subject).toMatch(/\b30\b/);
    expect(message?.content.blocks.map(({ kind }) => kind)).toEqual(["paragraph", "paragraph", "paragraph", "button"]);
    expect(leaksIn(whole, language)).toEqual([]);
  });
});

describe("A pending message when the scope is narrowed", () => {
  const [first, second] = sample;
  if (!first || !second) throw new Error("The catalogue is empty");

  test("would have contained the details before", async () => {
    const post = await waiting("en", [first], "alerts");
    await post.deliverDue();
    expect(post.sender.sent[0]?.content.subject).toContain(first.title);
    const leaks = leaksIn(JSON.stringify(post.sender.sent), "en");
    expect(leaks).toEqual(expect.arrayContaining([first.title, first.domain, "Passwords", "Sensitive"]));
  });

  test("contains no details when it is retried", async () => {
    const post = await waiting("en", [first], "alerts");
    post.sender.answer({ kind: "retry", scope: "contact", reason: "451 later" });
    await post.deliverDue();
    post.narrow();
    post.advance(DAY);
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.subject)).toEqual([`Data breach found for ${WATCHED}`]);
  });

  test("names some breaches and only counts the rest", async () => {
    const post = await waiting("en", [first, second, second], "report");
    post.narrow(["a1", "a2"]);
    await post.deliverDue();
    const whole = JSON.stringify(post.sender.sent[0]?.content);
    expect(whole).toContain("For 2 of them, the owner of the address shares no details.");
    expect(whole).toContain(first.title);
    expect(whole).not.toContain(second.title);
  });

  test("is not sent when its alert becomes hidden", async () => {
    const post = await waiting("en", [first], "alerts");
    post.facts.clear();
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.deliveryOf("alert:a0")).toMatchObject({ state: "cancelled", reason: "alert_gone" });
  });
});
