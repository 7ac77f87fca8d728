import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, domainWorld, found, HOUR } from "./domain_world.ts";

const alice = ALICE.accountId;
const EVERYTHING = { kind: undefined, breach: undefined, search: "" };
const SETTINGS = { catchAll: true, roleSensitive: false, digest: "daily", tellPeople: false, language: "en" } as const;

/** A catch-all with addresses of every kind. */
async function world(byAlias: Record<string, string[]>) {
  const opened = domainWorld();
  const id = await opened.hold(alice);
  accepted(await opened.domains.changeDomain(alice, id, SETTINGS));
  opened.answers.breaches = found(byAlias);
  await opened.domains.askSources();
  const page = async (more: { after?: string; breach?: string } = {}) =>
    accepted(await opened.domains.listDomainAddresses(alice, id, { ...EVERYTHING, after: undefined, ...more }));
  return { ...opened, id, page };
}

describe("an administrator", () => {
  test("a refused key is forgotten once nobody asks with it any more", async () => {
    const { domains, hold, allowances, answers, clock } = domainWorld();
    answers.breaches = { kind: "misconfigured", reason: "HIBP refused the API key" };
    await hold(alice);
    await domains.askSources();
    expect(await domains.sourceTroubles()).toEqual([
      { source: "hibp", reason: "HIBP refused the API key", domains: 1 },
    ]);
    allowances.set(alice, { active: false, domains: 0, addresses: 0 });
    clock.pass(DAY);
    expect(await domains.askSources()).toBe(0);
    expect(await domains.sourceTroubles()).toEqual([]);
  });

  test("sees people, roles and aliases apart, and who leaked an alias", async () => {
    const { domains, id } = await world({ "forum+adobe": ["Canva", "Adobe"], info: ["Adobe"], ada: ["Canva"] });
    accepted(await domains.markDomainAddress(alice, id, { alias: "ada", kind: "person" }));
    await domains.tellPeople();
    const overview = accepted(await domains.showOverview(alice, id));
    expect(overview.counts).toEqual({ person: 1, role: 1, alias: 1, untold: 0, withheld: 0 });
    expect(overview.breaches.map(({ name, addresses }) => [name, addresses])).toEqual([
      ["Adobe", 2],
      ["Canva", 2],
    ]);
    expect(overview.years).toEqual([{ year: 2013, breaches: 2 }]);
    const detail = accepted(await domains.showDomainAddress(alice, id, "forum+adobe"));
    expect(detail).toMatchObject({ kind: "alias", findings: 2, leaker: "Adobe" });
  });

  test("sees sensitive breaches and stealer logs of role mailboxes by choice, and of nobody else", async () => {
    const { domains, id, answers, source, clock, page } = await world({ info: ["Adobe"], ada: ["Adobe"] });
    answers.breaches = found({ info: ["Adobe", "Dating"], ada: ["Adobe", "Dating"] });
    answers.sites = found({ info: ["shop.example"], ada: ["shop.example"] });
    source.generation += 1;
    clock.pass(DAY);
    await domains.askSources();
    const counts = async () => (await page()).items.map(({ alias, findings }) => [alias, findings]);
    expect(await counts()).toEqual([
      ["ada", 1],
      ["info", 1],
    ]);
    accepted(await domains.changeDomain(alice, id, { ...SETTINGS, roleSensitive: true }));
    expect(await counts()).toEqual([
      ["ada", 1],
      ["info", 3],
    ]);
    expect(accepted(await domains.showDomainAddress(alice, id, "info")).sites).toEqual(["shop.example"]);
    expect(accepted(await domains.showDomainAddress(alice, id, "ada"))).toMatchObject({ findings: 1, sites: [] });
    expect((await page({ breach: "Dating" })).items.map(({ alias }) => alias)).toEqual(["info"]);
    const file = accepted(await domains.exportDomain(alice, id, { filter: EVERYTHING, language: "en" }));
    const rows = (await Array.fromAsync(file.chunks)).join("").split("\r\n");
    expect(rows[1]).toBe('"ada@example.org","domains_csv.kind_alias","1","Adobe","",""');
    expect(rows[2]).toContain('"3","Dating; Adobe","shop.example"');
  });

  test("goes on after each page of fifty, and has all of them in the file", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`a${String(index).padStart(3, "0")}`, ["Adobe"]]),
    );
    const { domains, id, page } = await world(many);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { items, next } = await page(after === undefined ? {} : { after });
      seen.push(...items.map(({ alias }) => alias));
      after = next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(Object.keys(many));
    const file = accepted(await domains.exportDomain(alice, id, { filter: EVERYTHING, language: "de" }));
    expect((await Array.fromAsync(file.chunks)).join("").split("\r\n")).toHaveLength(122);
  });

  test("whose plan covers fewer addresses sees the first of them, also when asking for another", async () => {
    const { domains, id, page, allowances } = await world({ a: ["Adobe"], b: ["Adobe"], c: ["Adobe"] });
    allowances.set(alice, { active: true, domains: 1, addresses: 2 });
    expect((await page()).items.map(({ alias }) => alias)).toEqual(["a", "b"]);
    expect(accepted(await domains.showOverview(alice, id))).toMatchObject({
      limit: 2,
      isCut: true,
      counts: { alias: 3 },
    });
    expect(await domains.showDomainAddress(alice, id, "c")).toMatchObject({ code: "NOT_FOUND" });
    const file = accepted(await domains.exportDomain(alice, id, { filter: EVERYTHING, language: "en" }));
    expect((await Array.fromAsync(file.chunks)).join("")).not.toContain("c@example.org");
  });

  test("whose plan has ended sees nothing, and the sources are not asked, until it is back", async () => {
    const { domains, id, allowances, source, clock } = await world({ a: ["Adobe"] });
    allowances.set(alice, { active: false, domains: 0, addresses: 0 });
    for (const refused of [
      await domains.showOverview(alice, id),
      await domains.showDomainAddress(alice, id, "a"),
      await domains.exportDomain(alice, id, { filter: EVERYTHING, language: "en" }),
    ])
      expect(refused).toMatchObject({ code: "USER_INACTIVE" });
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { coverage: "suspended" } });
    source.generation += 1;
    clock.pass(DAY);
    expect(await domains.askSources()).toBe(0);
    allowances.delete(alice);
    clock.pass(HOUR);
    expect(await domains.askSources()).toBe(1);
    expect(await domains.showOverview(alice, id)).toMatchObject({ ok: true });
  });

  test("with more domains than the plan covers keeps the oldest", async () => {
    const { domains, hold, clock, allowances } = domainWorld();
    const first = await hold(alice, "one.example");
    clock.pass(1000);
    const second = await hold(alice, "two.example");
    allowances.set(alice, { active: true, domains: 1, addresses: 50 });
    expect(await domains.showOverview(alice, first)).toMatchObject({ ok: true });
    expect(await domains.showOverview(alice, second)).toMatchObject({ code: "USER_INACTIVE" });
  });
});

describe("askSources()", () => {
  test("asks again only after a new breach", async () => {
    const { domains, source, clock } = await world({ info: ["Adobe"] });
    expect(source.asked).toEqual(["example.org"]);
    clock.pass(7 * DAY);
    expect(await domains.askSources()).toBe(0);
    source.generation += 1;
    clock.pass(HOUR);
    expect(await domains.askSources()).toBe(1);
  });

  test("shows the record by which a source verifies the domain, and asks it later", async () => {
    const { domains, id, answers, clock } = await world({});
    answers.breaches = { kind: "unverified" };
    answers.begin = { kind: "record", value: "hibp-verify=1234" };
    clock.pass(DAY);
    const other = await (async () => {
      const opened = domainWorld();
      opened.answers.breaches = { kind: "unverified" };
      opened.answers.begin = { kind: "record", value: "hibp-verify=1234" };
      return { ...opened, id: await opened.hold(alice) };
    })();
    await other.domains.askSources();
    const states = async () => accepted(await other.domains.sourcesOf(alice, other.id)).items;
    expect(await states()).toMatchObject([{ source: "hibp", state: "unverified", record: "hibp-verify=1234" }]);
    other.answers.finish = { kind: "verified" };
    accepted(await other.domains.askSourceAgain(alice, other.id, "hibp"));
    await other.domains.askSources();
    other.answers.breaches = found({ info: ["Adobe"] });
    await other.domains.askSources();
    expect(await states()).toMatchObject([{ state: "answered", record: null }]);
    expect(await domains.askSourceAgain(BOB.accountId, id, "hibp")).toMatchObject({ code: "NOT_FOUND" });
  });

  test("waits as long as a source in trouble asks, and says why", async () => {
    const { domains, hold, answers, clock, source } = domainWorld();
    const id = await hold(alice);
    answers.breaches = { kind: "later", afterMs: 3 * HOUR, reason: "HIBP is unavailable" };
    await domains.askSources();
    const [state] = accepted(await domains.sourcesOf(alice, id)).items;
    expect(state).toMatchObject({ state: "trouble", reason: "HIBP is unavailable" });
    clock.pass(2 * HOUR);
    await domains.askSources();
    expect(source.asked).toHaveLength(1);
    clock.pass(HOUR);
    answers.breaches = found({ info: ["Adobe"] });
    answers.sites = { kind: "later", afterMs: 60_000, reason: "wait", isRateLimit: true };
    await domains.askSources();
    expect(accepted(await domains.sourcesOf(alice, id)).items).toMatchObject([{ state: "answered", reason: null }]);
    clock.pass(60_000);
    answers.sites = found({ info: ["shop.example"] });
    expect(await domains.askSources()).toBe(1);
  });

  test("stores no name that is no mailbox, and nothing of a domain that nobody holds", async () => {
    const { page, domains, transaction } = await world({
      "in fo": ["Adobe"],
      ["x".repeat(65)]: ["Adobe"],
      ok: ["Adobe"],
    });
    expect((await page()).items.map(({ alias }) => alias)).toEqual(["ok"]);
    await domains.addImported([{ domain: "elsewhere.example", alias: "ada", breachName: "Adobe" }]);
    expect(await transaction(({ findings }) => findings.listOf("elsewhere.example", ["ada"]))).toEqual([]);
    expect(await domains.heldDomains()).toEqual(new Set(["example.org"]));
  });
});

describe("tellAdministrators()", () => {
  const news = async ({ published }: Pick<ReturnType<typeof domainWorld>, "published">) =>
    (await published()).flatMap((event) => (event.type === "domains.findingsRaised" ? [event] : []));

  test("tells daily, once, what is shown by then", async () => {
    const opened = await world({ info: ["Adobe", "Dating"], shop: ["Adobe"] });
    const { domains, id, clock, answers, source } = opened;
    await opened.published();
    clock.pass(1000);
    expect(await domains.tellAdministrators()).toBe(1);
    expect(await news(opened)).toMatchObject([{ domainId: id, findings: 2, addresses: 2, drill: false }]);
    expect(await domains.tellAdministrators()).toBe(0);
    answers.breaches = found({ info: ["Adobe", "Canva"] });
    source.generation += 1;
    clock.pass(2 * HOUR);
    await domains.askSources();
    expect(await domains.tellAdministrators()).toBe(0);
    clock.pass(22 * HOUR);
    expect(await domains.tellAdministrators()).toBe(1);
    expect(await news(opened)).toMatchObject([{ findings: 1, addresses: 1 }]);
    clock.pass(DAY);
    expect(await domains.tellAdministrators()).toBe(0);
  });

  test("tells at once, or never, by choice; and a test message is marked as one", async () => {
    const opened = await world({});
    const { domains, id, clock, answers, source } = opened;
    accepted(await domains.changeDomain(alice, id, { ...SETTINGS, digest: "at_once" }));
    for (const name of ["Adobe", "Canva"]) {
      answers.breaches = found({ info: [name] });
      source.generation += 1;
      clock.pass(2 * HOUR);
      await domains.askSources();
      clock.pass(1000);
      expect(await domains.tellAdministrators()).toBe(1);
    }
    accepted(await domains.changeDomain(alice, id, { ...SETTINGS, digest: "off" }));
    answers.breaches = found({ info: ["Twitter"] });
    source.generation += 1;
    clock.pass(2 * HOUR);
    await domains.askSources();
    expect(await domains.tellAdministrators()).toBe(0);
    await opened.published();
    accepted(await domains.startDomainDrill(alice, id));
    expect(await news(opened)).toMatchObject([{ drill: true }]);
    expect(await domains.startDomainDrill(BOB.accountId, id)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("goes to the contacts of the account, or to its own address", async () => {
    const { domains, id } = await world({});
    expect(await domains.routesOfDomains([id, crypto.randomUUID()])).toEqual([
      {
        associationId: id,
        accountId: alice,
        address: "example.org",
        own: true,
        language: "de",
        contacts: [{ channel: "email", value: ALICE.address }],
      },
    ]);
  });
});
