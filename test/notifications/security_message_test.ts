import { afterEach, describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import { codeContent } from "../../src/notifications/messages/message.ts";
import type { SecurityTemplate } from "../../src/notifications/messages/security_message.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { translate } from "./post_office.ts";
import { messageTo, peerAndSender } from "./sample_mail.ts";
import { AT, CHANGES, securityMail, securityMailsIn } from "./security_mails.ts";

const URL_OF = "https://breachbell.example";

function factsOf({ blocks }: Content): Record<string, string> {
  const facts = blocks.flatMap((block) => (block.kind === "facts" ? block.facts : []));
  return Object.fromEntries(facts.map(({ label, value }) => [label, value]));
}
const buttonOf = ({ blocks }: Content) => blocks.find((block) => block.kind === "button")?.url;

describe.each([...LANGUAGES])("security mails in %s", (language) => {
  const mails = securityMailsIn(language);

  test("state when it happened, in both parts", () => {
    const day = translate(language, "mail.date", { date: new Date(AT) });
    const { passwordReset, emailChange, ...told } = mails;
    for (const [name, content] of Object.entries(told))
      for (const part of Object.values(layOut(content))) {
        expect({ name, says: part.includes(day) }).toEqual({ name, says: true });
        expect(part).toMatch(/\b(23|11):07\b[^\d]{1,15}\(?UTC\)/);
      }
    expect(layOut(passwordReset as Content).text).toMatch(/\b60\b/);
    expect(layOut(emailChange as Content).text).toMatch(/\b24\b/);
  });

  test("link to the page where the recipient can act", () => {
    const pages = Object.fromEntries(Object.entries(mails).map(([name, content]) => [name, buttonOf(content)]));
    const newPassword = `${URL_OF}/${language}/forgot-password`;
    expect(pages).toEqual({
      passwordReset: `${URL_OF}/${language}/reset-password#t=abc`,
      passwordChanged: newPassword,
      passwordChangedHere: newPassword,
      passwordChangedWithTokens: newPassword,
      newSignIn: newPassword,
      newSignInWithGaps: newPassword,
      codeLocked: newPassword,
      emailChange: `${URL_OF}/${language}/confirm-email#t=abc`,
      emailChanged: undefined,
      emailChangedAndStopped: undefined,
      accountDeleted: undefined,
      accountDeletedWithGrants: undefined,
      accountDeletedWithManyGrants: undefined,
      accountLocked: undefined,
      accountUnlocked: undefined,
      accountFactorsReset: undefined,
      accountResetLink: undefined,
      accountRemoved: undefined,
      ...Object.fromEntries(CHANGES.map((change) => [change, `${URL_OF}/${language}/profile`])),
    });
  });

  test("state why they were sent, each with its own reason", () => {
    for (const content of Object.values(mails)) {
      expect(content.footer).toHaveLength(1);
      expect(content.footer[0]?.length).toBeGreaterThan(40);
      expect(content.preview).not.toBe(content.subject);
    }
    const { newSignInWithGaps, passwordChangedHere, passwordChangedWithTokens, ...others } = mails;
    const { emailChangedAndStopped, accountDeletedWithGrants, accountDeletedWithManyGrants, ...whole } = others;
    const subjects = Object.values(whole).map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(emailChangedAndStopped?.subject).toBe(mails.emailChanged?.subject ?? "");
    for (const told of [accountDeletedWithGrants, accountDeletedWithManyGrants])
      expect(told?.subject).toBe(mails.accountDeleted?.subject ?? "");
    expect(newSignInWithGaps?.subject).toBe(mails.newSignIn?.subject ?? "");
    for (const told of [passwordChangedHere, passwordChangedWithTokens])
      expect(told?.subject).toBe(mails.passwordChanged?.subject ?? "");
  });

  test("name who tracked a deleted account's address, and link nowhere else", () => {
    const textOf = (watchers: string, more: string) =>
      layOut(securityMail("account_deleted", { at: AT, grants: "ended", watchers, more }, language)).text;
    const few = textOf("Alice www.evil.example Keller\na…@example.org\nBob Meyer\nb…@example.net", "0");
    expect(few.replace(/\s+/g, " ")).toContain("Alice Keller (a…@example.org), Bob Meyer (b…@example.net)");
    expect(textOf("Bob Meyer\nb…@example.net", "7")).toMatch(/\b7\b/);
  });

  test("show the known data of a device and a network", () => {
    const signIn = (params: Record<string, string>) =>
      Object.values(factsOf(securityMail("new_sign_in", { at: AT, ipPrefix: "", ...params }, language)));
    expect(signIn({ browser: "Firefox", system: "Windows", ipPrefix: "203.0.113.0/24" })).toEqual([
      expect.stringContaining("(UTC)"),
      expect.stringMatching(/^Firefox \p{L}+ Windows$/u),
      "203.0.113.0/24",
    ]);
    expect(signIn({ browser: "Firefox" }).slice(1)).toEqual(["Firefox"]);
    expect(signIn({ system: "Windows" }).slice(1)).toEqual(["Windows"]);
    expect(signIn({})).toHaveLength(1);
  });

  test("count the remaining recovery codes, including none", () => {
    const texts = ["0", "1", "7"].map(
      (left) => layOut(securityMail("security_changed", { change: "recovery_code_used", at: AT, left }, language)).text,
    );
    expect(new Set(texts).size).toBe(3);
    expect(texts[1]).toMatch(/\b1\b/);
    expect(texts[2]).toMatch(/\b7\b/);
  });

  test("name the provider and the passkey", () => {
    expect(mails.provider_linked?.subject).toContain("Microsoft");
    expect(mails.provider_unlinked?.heading).toContain("Microsoft");
    expect(Object.values(factsOf(mails.passkey_added as Content))).toContain("Alice’s phone");
  });

  test("say of a change in the profile that only the other devices were logged out", () => {
    const words = [mails.passwordChanged, mails.passwordChangedHere, mails.passwordChangedWithTokens].map(
      (mail) => layOut(mail as Content).text,
    );
    expect(words[1]).not.toBe(words[0]);
    const others = { en: "All other", fr: "les autres", de: "anderen", it: "altri", es: "demás", pt: "outros" };
    expect(words.map((text) => text.includes(others[language]))).toEqual([false, true, false]);
  });

  test("name the tokens that a new password does not revoke", () => {
    expect(layOut(mails.passwordChangedWithTokens as Content).text).toContain(": Backup, Home server.");
    expect(layOut(mails.passwordChanged as Content).text).not.toContain("Backup");
  });

  test("give the former address a support contact, and only the masked new address", () => {
    const { text } = layOut(mails.emailChanged as Content);
    expect(text).toContain("help@breachbell.example");
    expect(text).toContain("a…@new.example");
  });

  test("the code is the only number that a phone could detect as a code, first in the text and alone on its line", () => {
    const content = codeContent({ code: "048213", minutes: "10", language, translate });
    const { html, text } = layOut(content);
    const shown = html.replace(/<style>.*?<\/style>/s, "").replaceAll(/<[^>]*>/g, "\n");
    for (const part of [text, shown]) expect(part.match(/\d{4,}/g)).toEqual(["048213"]);
    expect(text.split("\n")[0]).toBe(translate(language, "mail.code.line", { code: "048213", product: "Breachbell" }));
    expect(shown.split("\n")).toContain("048213");
    expect(html).toMatch(/user-select:all">048213</);
  });
});

describe("securityContent()", () => {
  test("does not render a mail that lacks its texts, its time or its secret", () => {
    expect(() => securityMail("security_changed", { change: "unheard_of", at: AT })).toThrow();
    expect(() => securityMail("security_changed", { at: AT })).toThrow();
    expect(() => securityMail("code_locked", {})).toThrow();
    expect(() => securityMail("code_locked", { at: "yesterday" })).toThrow();
    expect(() => securityMail("email_change", { firstName: "Alice" })).toThrow();
  });
});

describe("hostile names in security mails", () => {
  const evil = `Eve\r\nBcc: evil@x.example\r\n\r\n<b onclick="x">bold</b> https://evil.example/x www.evil.example \u202egnp`;
  const params = {
    at: AT,
    change: "provider_linked",
    hours: "24",
    minutes: "60",
    left: "3",
    firstName: evil,
    name: evil,
    provider: evil,
    to: evil,
    browser: evil,
    system: evil,
    ipPrefix: evil,
  };
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  const templates: SecurityTemplate[] = ["new_sign_in", "email_change", "email_changed", "security_changed"];
  test.each(templates)("%s arrives as one mail to one recipient, with its texts as plain text", async (template) => {
    const { peer, sender } = await peerAndSender(cleanUps);
    const content = securityMail(template, params);
    expect(await sender.send(messageTo("alice@home.example", { content }))).toMatchObject({ kind: "delivered" });
    const [received] = peer.received;
    expect(received?.to).toEqual(["alice@home.example"]);
    expect(received?.mail.headers.map(({ key }) => key)).not.toContain("bcc");
    expect(received?.mail.subject).toBe(content.subject);
    const { html = "", text = "" } = received?.mail ?? {};
    expect(text).toContain("Eve");
    expect(html).not.toMatch(/<b\b|onclick="/);
    for (const part of [html, text]) expect(part).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    for (const link of links) expect(link).toStartWith(`${URL_OF}/`);
  });

  test("names contain no clickable address, not even in plain text", () => {
    for (const template of ["email_change", "security_changed"] as const)
      expect(JSON.stringify(securityMail(template, { ...params, to: "", ipPrefix: "" }))).not.toContain("evil");
  });

  test('a name that is only an address becomes "someone", and no fact is empty', () => {
    const asked = securityMail("email_change", { firstName: "www.evil.example", account: "w…@x.example", hours: "24" });
    expect(layOut(asked).text).toContain("Someone (w…@x.example) would like");
    const passkey = securityMail("security_changed", { change: "passkey_added", at: AT, name: "\u202e\r\n" });
    expect(Object.keys(factsOf(passkey))).toEqual(["When"]);
  });
});
