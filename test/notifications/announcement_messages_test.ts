import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { CHECKS_TEMPLATES, checksContent } from "../../src/notifications/messages/checks_message.ts";
import { isAmong } from "../../src/notifications/messages/message.ts";
import { summaryContent } from "../../src/notifications/messages/summary_message.ts";
import type { SummaryFacts } from "../../src/notifications/ports.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { contact } from "./ledger.ts";
import { translate } from "./post_office.ts";

const publicUrl = "https://breachbell.example";
const PARAMS = { addresses: "2", since: "2026-11-20T07:30:00.000Z", at: "2026-11-21T08:30:00.000Z" };
const EMPTY: SummaryFacts = { watched: 0, addresses: [], found: 0, handled: 0, pending: 0, lateSince: undefined };

function summary(language: Language, facts: Partial<SummaryFacts> = {}, troubled: ReturnType<typeof contact>[] = []) {
  const stopUrl = `${publicUrl}/${language}/manage-contact#t=summary.abc`;
  const options = { translate, language, publicUrl, stopUrl, sources: ["hibp"], now: new Date(PARAMS.at) };
  return summaryContent({ month: "2026-10", facts: { ...EMPTY, ...facts }, troubled }, options);
}

describe("checksContent()", () => {
  test.each(CHECKS_TEMPLATES.flatMap((template) => LANGUAGES.map((language) => ({ template, language }))))(
    "renders $template completely in $language, with a single button that leads to the dashboard",
    ({ template, language }) => {
      const content = checksContent(template, { params: PARAMS, language, translate, publicUrl });
      const buttons = content.blocks.filter(({ kind }) => kind === "button");
      expect(buttons).toMatchObject([{ url: `${publicUrl}/${language}/dashboard` }]);
      expect(layOut(content).text).not.toMatch(/[{}]|mail\.|undefined|Invalid|NaN/);
      expect(content.subject.length).toBeWithin(10, 70);
    },
  );

  test.each([
    ["en", "November 20, 2026, 7:30 AM (UTC)"],
    ["de", "20. November 2026, 07:30 Uhr (UTC)"],
    ["fr", "20 novembre 2026 à 07:30 (UTC)"],
    ["it", "20 novembre 2026 alle ore 07:30 (UTC)"],
    ["es", "20 de noviembre de 2026 (7:30 UTC)"],
    ["pt", "20 de novembro de 2026, 07:30 (UTC)"],
  ] as const)("says since when as people write it in %s: %s", (language, words) => {
    const { text } = layOut(checksContent("checks_stale", { params: PARAMS, language, translate, publicUrl }));
    expect(text.replaceAll(/\s+/g, " ")).toContain(words);
  });

  test("recognises its own templates", () => {
    expect(isAmong(CHECKS_TEMPLATES, "checks_stale")).toBe(true);
    for (const other of ["login_code", "toString", "constructor"]) expect(isAmong(CHECKS_TEMPLATES, other)).toBe(false);
  });
});

describe("summaryContent()", () => {
  test.each([
    ["en", "Your addresses in October 2026"],
    ["de", "Ihre Adressen im Oktober 2026"],
    ["fr", "Vos adresses en octobre 2026"],
    ["it", "I Suoi indirizzi: ottobre 2026"],
    ["es", "Sus direcciones en octubre de 2026"],
    ["pt", "Os seus endereços em outubro de 2026"],
  ] as const)("names the month as people write it in %s: %s", (language, subject) => {
    const content = summary(language);
    expect(content.subject.replaceAll(/\s/g, " ")).toBe(subject);
    expect(layOut(content).text).not.toMatch(/[{}]|mail\.|undefined|Invalid|NaN/);
  });

  test("says that nothing is monitored, and then names no address", () => {
    const { text } = layOut(summary("en"));
    expect(text).toContain("isn’t checking any addresses for you at the moment");
    expect(text).toContain("No alert");
    expect(text).not.toContain("Your addresses");
  });

  test("names at most five contacts, and never the secret path of a webhook", () => {
    const values = ["a@x.example", "b@x.example", "c@x.example", "d@x.example"];
    const contacts = values.map((value) => contact(value, { state: "broken" }));
    const hook = contact("https://hook.example/secret-path", { channel: "webhook", state: "broken" });
    const { text } = layOut(summary("en", {}, [hook, ...contacts, ...contacts]));
    expect(text).toContain("https://hook.example/•••, a@x.example");
    expect(text).toContain("d@x.example and 4 more. Alerts may not reach these contacts.");
    expect(text).not.toContain("secret-path");
  });

  test("is plain text: nothing in an address or a label becomes a link", () => {
    const label = "Mallory\u202e evil.example <script>\nSubject: x";
    const bot = contact("mallory", { channel: "telegram", label, state: "broken" });
    const { html, text } = layOut(summary("en", {}, [bot]));
    expect(html).not.toContain("<script>");
    expect(text).not.toMatch(/\u202e|^Subject: x|evil/m);
  });
});
