import { describe, expect, test } from "bun:test";
import { bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import type { LetterDirectories, ListedCompany } from "../../src/breaches/ports.ts";
import { COUNTRIES } from "../../src/shared/advice.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";

const STRANGER = "00000000-0000-7000-8000-00000000000f";
const TODAY = "2026-11-20";
const sent = {
  company: "Northwind AG",
  asks: ["access" as const],
  country: "DE" as const,
  language: "de" as const,
  sentOn: TODAY,
};

function company(name: string, countries: string[], more: Partial<ListedCompany> = {}): ListedCompany {
  return { name, countries, address: "Street 1\nTown", email: null, webform: null, language: null, ...more };
}

function directories(companies: ListedCompany[]): LetterDirectories {
  return {
    companies: async () => ({ asOf: "2026-07-21", entries: new Map([["northwind.example", companies]]) }),
    authorities: bundledLetterDirectories().authorities,
  };
}

async function world(companies: ListedCompany[] = [], domain = "northwind.example") {
  const plain = breachWorld({
    breaches: [aBreach({ name: "Northwind", title: "Northwind", domain })],
    exposures: { [ALICE.address]: ["Northwind"] },
    asks: {
      letterDirectories: directories(companies),
      accounts: { of: async () => ({ email: ALICE.address, language: "fr", verified: true }) },
    },
  });
  await plain.breaches.syncCatalogue();
  const associationId = await plain.watch(ALICE);
  await plain.breaches.scanDue();
  const page = await plain.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
  const id = page.ok ? (page.value.items[0]?.id ?? "") : page.code;
  await plain.published();
  return { ...plain, associationId, id };
}

describe("showLetterFacts()", () => {
  test("lists the companies of the service, those for the reader's country first, with https links only", async () => {
    const { breaches, id } = await world([
      company("Northwind GmbH", ["de"]),
      company("Northwind Ltd", ["all"], { webform: "http://northwind.example/form" }),
      company("Northwind SA", ["fr"], { webform: "https://northwind.example/form" }),
    ]);
    const facts = await breaches.showLetterFacts(ALICE.accountId, id, "FR");
    expect(facts).toMatchObject({
      ok: true,
      value: { service: "Northwind", address: ALICE.address, asOf: "2026-07-21" },
    });
    const companies = facts.ok ? facts.value.companies : [];
    expect(companies.map(({ name }) => name)).toEqual(["Northwind SA", "Northwind Ltd", "Northwind GmbH"]);
    expect(companies.map(({ webform }) => webform)).toEqual(["https://northwind.example/form", null, null]);
  });

  test("knows no company of a service without a domain, and refuses others' alerts", async () => {
    const { breaches, id } = await world([company("Northwind AG", ["all"])], "");
    expect(await breaches.showLetterFacts(ALICE.accountId, id, "CH")).toMatchObject({ value: { companies: [] } });
    expect(await breaches.showLetterFacts(STRANGER, id, "CH")).toEqual({ ok: false, code: "NOT_FOUND" });
  });
});

describe("noteLetter()", () => {
  test("keeps the deadline, and nothing of the letter itself", async () => {
    const { breaches, id } = await world();
    const noted = await breaches.noteLetter(ALICE.accountId, id, sent);
    expect(noted).toMatchObject({ value: { ...sent, address: ALICE.address, dueOn: "2026-12-20", overdue: false } });
    expect(await breaches.listLetters(ALICE.accountId)).toHaveLength(1);
    expect(await breaches.listLetters(STRANGER)).toEqual([]);
    expect((await breaches.recordsOf(ALICE.accountId)).letters).toMatchObject([{ company: "Northwind AG" }]);
  });

  test.each(["2026-11-23", "2025-10-01", "2026-02-31"])("refuses the implausible day %s", async (sentOn) => {
    const { breaches, id } = await world();
    expect(await breaches.noteLetter(ALICE.accountId, id, { ...sent, sentOn })).toMatchObject({
      code: "INVALID_INPUT",
      fields: { sentOn: "INVALID_INPUT" },
    });
  });

  test("refuses others' alerts, and more than a hundred letters", async () => {
    const { breaches, id } = await world();
    expect(await breaches.noteLetter(STRANGER, id, sent)).toMatchObject({ code: "NOT_FOUND" });
    for (let count = 0; count < 100; count++) await breaches.noteLetter(ALICE.accountId, id, sent);
    expect(await breaches.noteLetter(ALICE.accountId, id, sent)).toMatchObject({ code: "TOO_MANY_LETTERS" });
  });
});

describe("remindOfLetters()", () => {
  test("announces a missed deadline once, to the contacts of the address", async () => {
    const { breaches, id, clock, publishedOf, associationId } = await world();
    const noted = await breaches.noteLetter(ALICE.accountId, id, sent);
    clock.pass(30 * DAY);
    expect(await breaches.remindOfLetters()).toBe(0);
    clock.pass(DAY);
    expect(await breaches.remindOfLetters()).toBe(1);
    expect(await publishedOf("breaches.letterDue")).toMatchObject([
      { associationId, letterId: noted.ok && noted.value.id, sentOn: TODAY, dueOn: "2026-12-20" },
    ]);
    expect(await breaches.remindOfLetters()).toBe(0);
    expect(await breaches.listLetters(ALICE.accountId)).toMatchObject([{ overdue: true }]);
  });

  test("says nothing about an answered letter, or one without a deadline", async () => {
    const { breaches, id, clock } = await world();
    const noted = await breaches.noteLetter(ALICE.accountId, id, sent);
    await breaches.noteLetter(ALICE.accountId, id, { ...sent, country: "US" });
    await breaches.answerLetter(ALICE.accountId, noted.ok ? noted.value.id : "", true);
    clock.pass(90 * DAY);
    expect(await breaches.remindOfLetters()).toBe(0);
  });

  test("writes to the account if the address is no longer tracked", async () => {
    const { breaches, id, clock, publishedOf, associationId } = await world();
    await breaches.noteLetter(ALICE.accountId, id, sent);
    await breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, ...ALICE });
    clock.pass(40 * DAY);
    await breaches.remindOfLetters();
    expect(await publishedOf("mail.requested")).toMatchObject([
      { to: ALICE.address, template: "letter_due", language: "fr", params: { sentOn: TODAY, dueOn: "2026-12-20" } },
    ]);
  });
});

describe("the bundled authorities", () => {
  test("cover every country whose advice we give, except where there is none", async () => {
    const { breaches } = await world();
    for (const country of COUNTRIES) {
      const { authorities } = await breaches.listAuthorities(country);
      expect({ country, some: authorities.length > 0 }).toEqual({ country, some: country !== "US" });
      for (const { address, website } of authorities) {
        expect(address).not.toBe("");
        expect(website ?? "https:").toStartWith("https:");
      }
    }
  });

  test("are all Germany's, of which people choose their own", async () => {
    const { breaches } = await world();
    expect((await breaches.listAuthorities("DE")).authorities.length).toBeGreaterThan(16);
  });
});
