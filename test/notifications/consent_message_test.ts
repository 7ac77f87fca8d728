import { afterEach, describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import { confirmationContent } from "../../src/notifications/messages/message.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { ADDRESS, consentMail, consentMailsIn, PARAMS, UNTIL } from "./consent_mails.ts";
import { translate } from "./post_office.ts";
import { messageTo, peerAndSender } from "./sample_mail.ts";

const URL_OF = "https://breachbell.example";
const buttonOf = ({ blocks }: Content) => blocks.find((block) => block.kind === "button")?.url;

/** The product's word for data breaches. */
const DATA_BREACHES = {
  en: /data breaches/i,
  de: /Datenlecks/i,
  fr: /fuites de données/i,
  it: /violazioni di dati/i,
  es: /filtraciones de datos/i,
  pt: /fugas de dados/i,
};

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe.each([...LANGUAGES])("consent mails in %s", (language) => {
  const mails = consentMailsIn(language);

  test("arrive exactly as rendered, with no placeholder left", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    for (const content of Object.values(mails))
      expect(await sender.send(messageTo(ADDRESS, { content }))).toMatchObject({ kind: "delivered" });
    const written = Object.values(mails);
    expect(peer.received).toHaveLength(written.length);
    for (const [index, { mail }] of peer.received.entries()) {
      const { subject, preview, heading } = written[index] as Content;
      const { html = "", text = "" } = mail;
      expect(mail.subject).toBe(subject);
      expect(text).toStartWith(heading);
      expect(html).toContain(preview);
      for (const part of [subject, html.replace(/<style>.*?<\/style>/s, ""), text])
        expect(part).not.toMatch(/[{}]|\b(undefined|NaN|Invalid Date)\b|\bmail\.[a-z]/);
    }
  });

  test("link to the page for the answer, or nowhere if nothing can be done", () => {
    const answer = `${URL_OF}/${language}/manage-invitation#t=abc`;
    const dashboard = `${URL_OF}/${language}/dashboard`;
    const urls = Object.fromEntries(Object.entries(mails).map(([name, content]) => [name, buttonOf(content)]));
    expect(urls).toEqual({
      aliasConfirmation: `${URL_OF}/${language}/confirm-alias#t=abc`,
      invitation: answer,
      reminder: answer,
      lastReminder: answer,
      addressConfirmation: answer,
      accepted: dashboard,
      acceptedWithoutDetails: dashboard,
      declined: dashboard,
      withdrawn: dashboard,
      unanswered: dashboard,
      given: answer,
      givenWithoutDetails: answer,
      suspended: answer,
      stopped: undefined,
      resumed: answer,
    });
  });

  test("name the address, and to its owner also the inviter", () => {
    for (const [name, content] of Object.entries(mails)) {
      const { text } = layOut(content);
      expect({ name, address: text.includes(ADDRESS) }).toEqual({ name, address: true });
      const isForOwner = PARAMS[name]?.[0] !== "consent_answered";
      expect({ name, asker: text.includes("Alice Meyer") }).toEqual({ name, asker: isForOwner });
    }
  });

  test("ask whether an address is one's own with the masked email of the account that says so", () => {
    const { html, text } = layOut(mails.addressConfirmation as Content);
    for (const part of [html, text]) expect(part).toContain("a…@example.org");
  });

  test("ask with the day on which the link expires, in the local date format", () => {
    const day = translate(language, "mail.date", { date: UNTIL });
    for (const name of ["invitation", "reminder", "lastReminder", "addressConfirmation"]) {
      const { html, text } = layOut(mails[name] as Content);
      for (const part of [html, text]) {
        expect({ name, says: part.includes(day) }).toEqual({ name, says: true });
        expect(part).toMatch(/\b12:30\b[^\d]{1,15}\(?UTC\)/);
      }
    }
    expect(mails.reminder?.preview).toMatch(/\b5\b/);
    expect(mails.lastReminder?.preview).toMatch(/\b1\b/);
  });

  test("ask a stranger in a subject of less than 60 characters that mentions data breaches", () => {
    const asked = ["invitation", "reminder", "lastReminder", "addressConfirmation"].map((name) => mails[name]?.subject);
    const url = "https://breachbell.example/en/manage-contact#t=abc";
    for (const subject of [...asked, confirmationContent({ asker: "Alice Meyer", url, language, translate }).subject]) {
      expect(subject).toMatch(DATA_BREACHES[language]);
      expect(subject?.length).toBeLessThan(60);
    }
  });

  test("the invitation contains everything needed to decide, the reminder is short", () => {
    const { invitation, reminder, lastReminder } = mails;
    const says = (content: Content | undefined) => layOut(content as Content).text;
    for (const key of ["what", "scope"])
      expect(says(invitation)).toContain(
        translate(language, `mail.invitation.${key}`, { product: "Breachbell", name: "Alice Meyer" }),
      );
    expect(says(reminder)).toContain("Alice Meyer");
    expect(says(reminder).length).toBeLessThan(says(invitation).length * 0.75);
    expect(reminder?.footer).not.toEqual(lastReminder?.footer as string[]);
  });

  test("state why they were sent, each with its own reason", () => {
    for (const content of Object.values(mails)) {
      expect(content.footer).toHaveLength(1);
      expect(content.footer[0]?.length).toBeGreaterThan(40);
      expect(content.preview).not.toBe(content.subject);
    }
    const texts = Object.values(mails).map((content) => layOut(content).text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('a nameless inviter becomes "somebody", at the start of a sentence and within', () => {
    const somebody = translate(language, "mail.confirmation.somebody");
    const { preview, heading, blocks } = consentMail("invitation", { address: ADDRESS, days: "7" }, language);
    expect(preview.toLowerCase()).toContain(somebody.toLowerCase());
    expect(`${heading}`.toLowerCase()).toContain(somebody.toLowerCase());
    expect(blocks[0]).toMatchObject({ text: expect.stringMatching(new RegExp(`^${somebody} `)) });
  });
});

describe("consentContent()", () => {
  test("does not render a mail that lacks its texts, its time or its secret", () => {
    const params = { inviterName: "Alice", address: ADDRESS };
    expect(() => consentMail("consent_answered", { ...params, answer: "unheard_of" })).toThrow();
    expect(() => consentMail("watching_stopped", params)).toThrow();
    expect(() => consentMail("watching_resumed", { ...params, reason: "stopped" })).toThrow();
    expect(() => consentMail("invitation_reminder", params)).toThrow();
  });

  test("says whether details are shared", () => {
    const text = (details: string) =>
      layOut(consentMail("consent_answered", { answer: "accepted", address: ADDRESS, details })).text;
    expect(text("yes")).toContain("You see the details");
    expect(text("no")).toContain("without details");
  });

  test("does not mention an account without a name", () => {
    const { text } = layOut(consentMail("address_confirmation", { address: ADDRESS, accountName: "www.evil.example" }));
    expect(text).not.toContain("this account:");
  });
});

describe("hostile names in consent mails", () => {
  const evil = `Eve\r\nBcc: evil@x.example\r\n\r\n<b onclick="x">bold</b> https://evil.example/x www.evil.example \u202egnp`;
  const forOwners = Object.entries(PARAMS).filter(([, [template]]) => template !== "consent_answered");

  test.each(forOwners)(
    "%s arrives as one mail to one recipient, with the name as plain text",
    async (_, [template, params]) => {
      const { peer, sender } = await peerAndSender(cleanUps);
      const content = consentMail(template, { ...params, inviterName: evil, accountName: evil });
      expect(await sender.send(messageTo(ADDRESS, { content }))).toMatchObject({ kind: "delivered" });
      const [received] = peer.received;
      expect(received?.to).toEqual([ADDRESS]);
      expect(received?.mail.headers.map(({ key }) => key)).not.toContain("bcc");
      expect(received?.mail.subject).toBe(content.subject);
      const { html = "", text = "" } = received?.mail ?? {};
      expect(text).toContain("Eve");
      expect(html).not.toMatch(/<b\b|onclick="/);
      for (const part of [html, text]) {
        expect(part).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
        expect(part).not.toContain("evil");
      }
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
      for (const link of links) expect(link).toStartWith(`${URL_OF}/`);
    },
  );
});
