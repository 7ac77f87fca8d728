import { describe, expect, test } from "bun:test";
import type { AlertSelection } from "../../src/breaches/alerts/alert_list.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import { type ConsentScope, FULL_SCOPE } from "../../src/shared/consent.ts";
import { csvRecord, type Separator, separatorOf } from "../../src/shared/csv.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";

const ALL = { state: "all", search: "" } as const;

/** A strict RFC 4180 parser, with another separator where a spreadsheet's language has one. */
function parse(text: string, separator: Separator = ","): string[][] {
  const records = text.match(new RegExp(`(?:"(?:[^"]|"")*"${separator}?)+\r\n`, "g")) ?? [];
  expect(records.join("")).toBe(text);
  return records.map((record) =>
    [...record.matchAll(new RegExp(`"((?:[^"]|"")*)"(?:${separator}|\r\n)`, "g"))].map(([, cell = ""]) =>
      cell.replaceAll('""', '"'),
    ),
  );
}

async function worldOf(breaches: ReturnType<typeof aBreach>[], scope: ConsentScope = FULL_SCOPE) {
  const names = breaches.map(({ name }) => name);
  const world = breachWorld({ breaches, exposures: { [ALICE.address]: names } });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch({ ...ALICE, scope });
  await world.breaches.scanDue();
  const file = async (selection: Partial<AlertSelection> = {}, language: Language = "en") =>
    accepted(await world.breaches.exportAlerts(ALICE.accountId, { ...ALL, ...selection }, language));
  const text = async (selection: Partial<AlertSelection> = {}, language: Language = "en") => {
    let all = "";
    for await (const chunk of (await file(selection, language)).chunks) all += chunk;
    return all;
  };
  /** Each row as an object keyed by the headings. */
  const rows = async (selection: Partial<AlertSelection> = {}, language: Language = "en") => {
    const [headings = [], ...records] = parse(
      (await text(selection, language)).replace("\uFEFF", ""),
      separatorOf(language),
    );
    return records.map((record) => Object.fromEntries(headings.map((heading, place) => [heading, record[place]])));
  };
  return { ...world, associationId, file, text, rows };
}

describe("csvRecord()", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a"])(
    "escapes %p so that it is no formula",
    (text) => {
      for (const separator of [",", ";"] as const)
        expect(parse(csvRecord([text, "x"], separator), separator)).toEqual([[`'${text}`, "x"]]);
    },
  );

  test.each(["a=1", 'say "hi"', "a,b", "line\r\nbreak", "", "1-1", " =1", "Zürich 🔑", '","=1'])(
    "leaves %p unchanged",
    (text) => {
      for (const separator of [",", ";"] as const)
        expect(parse(csvRecord([text, text], separator), separator)).toEqual([[text, text]]);
    },
  );
});

describe("exportAlerts()", () => {
  test("contains everything about an alert in the chosen language", async () => {
    const dataClasses = ["Email addresses", "Passwords", "Dreams & hopes"];
    const { rows, file, text, breaches, clock } = await worldOf([
      aBreach({ title: "Adobe, Inc.", dataClasses, flags: ["sensitive", "unverified"] }),
    ]);
    clock.pass(HOUR);
    const { items } = accepted(await breaches.listAlerts(ALICE.accountId, { ...ALL, page: 1 }));
    const why = { reason: "password_changed", note: '=HYPERLINK("https://evil.example")' } as const;
    await breaches.handleAlert(ALICE.accountId, items[0]?.id ?? "", 1, why);
    expect((await file()).name).toBe("breachbell-alerts-2026-11-20.csv");
    expect((await text()).startsWith("\uFEFF")).toBe(true);
    expect(await rows({}, "de")).toEqual([
      {
        "E-Mail-Adresse": ALICE.address,
        Dienst: "Adobe, Inc.",
        Website: "adobe.example",
        "Datum des Vorfalls": "2013-10-04",
        "Bekannt seit": "2013-12-04",
        "Gefunden am (UTC)": "2026-11-20 12:00:00",
        "Ernster geworden am (UTC)": "",
        Status: "Erledigt",
        "Erledigt am (UTC)": "2026-11-20 13:00:00",
        Grund: "Ich habe das Passwort geändert",
        Notiz: `'${why.note}`,
        Schweregrad: "Mittel",
        "Gestohlene Daten": "E-Mail-Adressen; Passwörter; Dreams & hopes",
        "Gekennzeichnet als": "Sensibel; Unbestätigt",
        "Betroffene Konten": "152445165",
        Quelle: "Have I Been Pwned (CC BY 4.0) https://haveibeenpwned.com",
        "Gefunden unter": "",
      },
    ]);
    expect(await rows({ state: "pending" })).toEqual([]);
  });

  test("is separated as a spreadsheet in the reader's language expects", async () => {
    const { text } = await worldOf([aBreach()]);
    const separators = await Promise.all(
      LANGUAGES.map(async (language) => (await text({}, language)).match(/"([,;])"/)?.[1]),
    );
    expect(separators).toEqual([",", ";", ";", ";", ";", ";"]);
  });

  test("has headings and values in every language", async () => {
    const { rows } = await worldOf([aBreach({ flags: ["malware"] })]);
    const all = await Promise.all(LANGUAGES.map(async (language) => (await rows({}, language))[0] ?? {}));
    for (const row of all) expect(Object.keys(row)).toHaveLength(17);
    const said = all.map((row) => Object.entries(row).flat().join("|"));
    expect(new Set(said).size).toBe(LANGUAGES.length);
  });

  test("has the filter and the order of the list, across all its pages", async () => {
    const many = Array.from({ length: 450 }, (_, number) => aBreach({ name: `Breach${1000 + number}` }));
    const { rows, file } = await worldOf(many);
    const titles = (await rows({ sort: "service", direction: "desc" })).map(({ Service }) => Service);
    expect(titles).toEqual(many.map(({ title }) => title).toReversed());
    expect((await rows({ search: "breach144" })).map(({ Service }) => Service)).toHaveLength(10);
    // Reads in batches.
    const chunks = (await file()).chunks[Symbol.asyncIterator]();
    const sizes = [(await chunks.next()).value?.split("\r\n").length];
    for (const page of [await chunks.next(), await chunks.next()]) sizes.push(page.value?.split("\r\n").length);
    expect(sizes).toEqual([202, 201, 51]);
    expect((await chunks.next()).done).toBe(true);
  });

  test("omits what was deleted or hidden before its batch is read", async () => {
    const many = Array.from({ length: 250 }, (_, number) => aBreach({ name: `Breach${1000 + number}` }));
    const { file, breaches, associationId } = await worldOf(many);
    const chunks = (await file({ sort: "service" })).chunks[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toContain("Breach1000");
    const scope = { details: false, sensitive: true };
    await breaches.onScopeChanged({ type: "tracking.scopeChanged", associationId, ...ALICE, scope });
    const second = parse((await chunks.next()).value ?? "");
    expect(second).toHaveLength(50);
    expect(second.flat().join()).not.toContain("Breach1");
    await breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, ...ALICE });
    expect((await chunks.next()).done).toBe(true);
  });

  test("aborts and logs an error when the database is lost midway", async () => {
    const world = await worldOf(Array.from({ length: 201 }, (_, number) => aBreach({ name: `Breach${number}` })));
    let left = 2;
    const breaches = createBreaches({
      ...world.deps,
      transaction: (work) => (left-- > 0 ? world.transaction(work) : Promise.reject(new Error("Gone"))),
    });
    const { chunks } = accepted(await breaches.exportAlerts(ALICE.accountId, ALL, "en"));
    const reading = chunks[Symbol.asyncIterator]();
    expect(parse(((await reading.next()).value ?? "").slice(1))).toHaveLength(201);
    await expect(reading.next()).rejects.toThrow("Gone");
    expect(world.reports).toEqual(["Gone"]);
    await expect(breaches.exportAlerts(ALICE.accountId, ALL, "en")).rejects.toThrow("Gone");
  });

  test("reveals of an undisclosed breach only that there is one", async () => {
    const { text, rows } = await worldOf([aBreach({ title: "Secret Shop" })], { details: false, sensitive: true });
    expect(await rows()).toEqual([
      {
        Email: ALICE.address,
        Service: "Not shared",
        Website: "",
        "Breach date": "",
        "Date added": "",
        "Found on (UTC)": "2026-11-20 12:00:00",
        "Became more serious on (UTC)": "",
        Status: "Pending",
        "Handled on (UTC)": "",
        Reason: "",
        Note: "",
        Severity: "",
        "Stolen data": "",
        "Marked as": "",
        "Accounts affected": "",
        Source: "",
        "Found under": "",
      },
    ]);
    expect(await text()).not.toMatch(/Secret|Adobe|152|Password|Pwned/);
    expect(await rows({ category: "passwords" })).toEqual([]);
    expect(await rows({ search: "secret" })).toEqual([]);
  });

  test("contains no other account's alerts, and only headings if there are none", async () => {
    const { breaches } = await worldOf([aBreach()]);
    let all = "";
    for await (const chunk of accepted(await breaches.exportAlerts(BOB.accountId, ALL, "fr")).chunks) all += chunk;
    expect(parse(all.slice(1), ";")).toHaveLength(1);
    expect(all).toContain("Données volées");
  });
});
