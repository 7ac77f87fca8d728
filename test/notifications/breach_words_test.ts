import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { alertContent } from "../../src/notifications/messages/alert_message.ts";
import { ranked, reportContent } from "../../src/notifications/messages/report_message.ts";
import type { AlertFacts, BreachFacts } from "../../src/shared/breach.ts";
import type { Language } from "../../src/shared/language.ts";
import { adobe, translate } from "./post_office.ts";

const publicUrl = "https://breachbell.example";
const ADDRESS = "alice@home.example";

function facts(breach: Partial<BreachFacts> = {}): AlertFacts {
  return {
    alertId: "a1",
    associationId: "home",
    accountId: "alice",
    address: ADDRESS,
    state: "pending",
    version: 1,
    raisedAt: "2026-03-02T08:00:00Z",
    breach: { ...adobe, ...breach },
    sources: ["hibp"],
    foundUnder: [],
  };
}

function optionsIn(language: Language) {
  const stopUrl = `${publicUrl}/${language}/manage-contact#t=v1.stop`;
  return { translate, language, publicUrl, stopUrl, sources: ["hibp"], now: new Date("2026-03-02T08:00:00Z") };
}

describe("an alert", () => {
  test("states its severity and the reason before everything else", () => {
    const { text } = layOut(alertContent(facts({ breachDate: "2026-01-01" }), optionsIn("en")));
    expect(text).toContain("Severity: High. Passwords were stolen, and they were only weakly protected.");
    expect(text.indexOf("Severity")).toBeLessThan(text.indexOf("Breach date"));
    const stolen = layOut(alertContent(facts({ flags: ["stealerLog", "unverified"] }), optionsIn("de"))).text;
    expect(stolen).toContain("Schweregrad: Kritisch. Schadsoftware hat die Daten direkt auf einem Gerät ausgelesen");
  });

  test("of a drill is marked as such first, in the recipient's language and where a lock screen shows it", () => {
    const drill = alertContent(facts({ name: "drill:1", title: "Fire drill", flags: ["drill"] }), optionsIn("de"));
    const text =
      "Dies ist ein Probealarm, den Sie selbst gestartet haben. Das Datenleck ist erfunden, und es wurde nichts gestohlen.";
    expect(drill.subject).toBe("Datenleck: Probealarm");
    expect(drill.preview).toBe(text);
    expect(drill.blocks[0]).toEqual({ kind: "note", label: "Probealarm", text });
    expect(layOut(drill).text.split(text)).toHaveLength(2);
    expect(layOut(drill).text).not.toContain("Fire drill");
  });

  test("credits the sources that found and describe it, and no others", () => {
    const credit = (sources: string[], name: string) =>
      layOut(alertContent({ ...facts({ name }), sources }, optionsIn("en")))
        .text.split("\n\n")
        .at(-1)
        ?.trim();
    const hibp = "https://haveibeenpwned.com\nhttps://creativecommons.org/licenses/by/4.0/";
    expect(credit(["hibp"], "Adobe")).toBe(`Breach data: Have I Been Pwned (CC BY 4.0).\n${hibp}`);
    expect(credit(["xposedornot"], "xposedornot:Adobe")).toBe("Breach data: XposedOrNot.\nhttps://xposedornot.com");
    expect(alertContent({ ...facts({ name: "drill:1" }), sources: [] }, optionsIn("en")).attribution).toBeUndefined();
    expect(credit(["dataset"], "dataset:Clients")).toBe("Breach data: a list kept by this service’s operator.");
    expect(credit(["dataset", "hibp"], "Adobe")).toBe(
      `Breach data: Have I Been Pwned (CC BY 4.0), a list kept by this service’s operator.\n${hibp}`,
    );
  });
});

describe("a report", () => {
  test("credits every source of its contents once, and the queried sources where nothing was found", () => {
    const told = [
      { ...facts({ name: "xposedornot:Adobe" }), sources: ["xposedornot"] },
      { ...facts(), sources: ["hibp", "dataset"] },
      facts(),
    ];
    expect(reportContent(ADDRESS, told, optionsIn("en")).attribution?.text).toBe(
      "Breach data: Have I Been Pwned (CC BY 4.0), XposedOrNot, a list kept by this service’s operator.",
    );
    const options = { ...optionsIn("fr"), sources: ["xposedornot"] };
    expect(reportContent(ADDRESS, [], options).attribution).toEqual({
      text: "Données sur les fuites\u00a0: XposedOrNot.",
      links: [{ label: "xposedornot.com", url: "https://xposedornot.com" }],
    });
  });

  const named = (title: string, breachDate: string, dataClasses: string[]) => ({
    ...adobe,
    title,
    breachDate,
    dataClasses,
  });
  const past = [
    named("new names", "2025-01-01", ["Names"]),
    named("old card", "2010-01-01", ["Credit cards"]),
    named("old names", "2009-01-01", ["Email addresses"]),
    named("old passport", "2012-01-01", ["Passport numbers"]),
    named("password", "2024-01-01", ["Passwords"]),
  ];

  test("lists unhandled breaches first, then the newest", () => {
    const order = ranked(past, new Date("2026-03-02T08:00:00Z")).map(({ title }) => title);
    expect(order).toEqual(["password", "old passport", "old card", "new names", "old names"]);
  });

  test("states the severity of each, and the reason", () => {
    const alerts = past.map((breach) => ({ ...facts(), breach }));
    const { text } = layOut(reportContent(ADDRESS, alerts, optionsIn("en")));
    const [, list = ""] = text.split("All breaches, most serious first");
    const told = [...list.matchAll(/^- (.+?) \(.+\n {2}Severity: (\w+)\. (.+)$/gm)].map(([, ...parts]) => parts);
    expect(told).toEqual([
      ["password", "High", "Passwords were stolen, and they were only weakly protected."],
      ["old passport", "High", "Identity papers or the numbers of such papers were stolen."],
      [
        ...["old card", "Medium"],
        "Credit card data was stolen. It happened more than five years ago: cards from that time have expired.",
      ],
      ["new names", "Low", "Only everyday data was stolen, such as email addresses, names or usernames."],
      ["old names", "Low", "Only everyday data was stolen, such as email addresses, names or usernames."],
    ]);
  });
});
