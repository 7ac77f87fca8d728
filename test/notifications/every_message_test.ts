import { describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { pushText } from "../../src/notifications/adapters/channels/push_text.ts";
import { MAX_TEXT, telegramText } from "../../src/notifications/adapters/channels/telegram/telegram_text.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import type { Translate } from "../../src/notifications/ports.ts";
import { dataClassKey } from "../../src/shared/breach.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { ADDRESS, everyDiscreetMessage, everyMessage, worst } from "./every_message.ts";
import { adobe, translate } from "./post_office.ts";

const LOCALES = join(import.meta.dirname, "../../locales");
const PUSH = { title: 250, characters: 1024, bytes: 4096 };

const messagesIn = (language: Language, words: Translate = translate) =>
  Object.values(everyMessage({ language, translate: words })).flatMap((named) => Object.entries(named));

/** All text that a recipient can read, on any channel. */
function readIn(content: Content): string {
  const { html, text } = layOut(content);
  const seen = html.replace(/<(style|title)>.*?<\/\1>/gs, "").replaceAll(/<[^>]*>/g, "\n");
  const { title, body } = pushText(content, PUSH, { links: true });
  return [content.subject, content.preview, text, seen, title, body, telegramText(content)].join("\n");
}

/** Month names that differ from those of other languages. */
function foreignMonths(language: Language): RegExp {
  const namesIn = (one: Language) =>
    Array.from({ length: 12 }, (_, month) =>
      new Intl.DateTimeFormat(one, { month: "long", timeZone: "UTC" }).format(Date.UTC(2026, month, 15)).toLowerCase(),
    );
  const own = new Set(namesIn(language));
  const foreign = LANGUAGES.flatMap(namesIn).filter((name) => !own.has(name));
  return new RegExp(
    `\\d\\.? (?:de )?(?:${[...new Set(foreign)].join("|")})(?!\\p{L})|(?<!\\p{L})(?:${[...new Set(foreign)].join("|")}) \\d`,
    "iu",
  );
}

describe.each([...LANGUAGES])("Every message in %s", (language) => {
  const messages = messagesIn(language);
  const months = foreignMonths(language);

  test.each(messages)(
    "%s is complete: no gap, no key, no broken date, and single lines where only one is allowed",
    (_, content) => {
      const read = readIn(content);
      expect(read).not.toMatch(
        /[{}]|undefined|Invalid Date|NaN|\[object|(?<![\w@.])(?:mail|flags|advice|data_classes|seriousness)\.[a-z_]+(?![\w.-]*\.example)/,
      );
      for (const line of [content.subject, content.preview, content.heading]) {
        expect(line.trim()).toBe(line);
        expect(line).not.toBe("");
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]| {2}/u);
      }
      expect(content.language).toBe(language);
      expect([...content.subject].length).toBeLessThanOrEqual(90);
      expect([...content.preview].length).toBeLessThanOrEqual(140);
    },
  );

  test.each(messages)("%s formats its dates for this language", (_, content) => {
    const { text } = layOut(content);
    const read = text.replaceAll(/https?:\S+/g, "");
    expect(read).not.toMatch(months);
    expect(read).not.toMatch(/\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|GMT/);
  });

  test.each(messages)("%s is not truncated on a phone with enough room", (_, content) => {
    const text = telegramText(content);
    const length = text.replaceAll(/<[^>]*>/g, "").replaceAll(/&(?:amp|lt|gt);/g, "&").length;
    expect(length).toBeLessThanOrEqual(MAX_TEXT);
    const words = text.replaceAll(/\b[a-z]…@[a-z.]+/g, "");
    if (length < MAX_TEXT - 1000) expect(words).not.toContain("…");
  });

  test("all dates of a breach are correct, in UTC", () => {
    const { alert } = everyMessage({ language, translate }).alert;
    const day = (iso: string) =>
      new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(iso));
    for (const iso of [adobe.breachDate, adobe.addedDate])
      expect(layOut(alert as Content).text).toContain(day(iso ?? ""));
  });

  test("only French has a non-breaking space before double punctuation marks", () => {
    for (const [name, content] of messages) {
      const read = readIn(content).replaceAll(/https?:\S+|&#?\w+;|\d\d:\d\d/g, "");
      if (language !== "fr")
        expect({ name, found: /[\u00a0\u202f][:;!?]/.exec(read)?.[0] }).toEqual({ name, found: undefined });
      else
        expect({
          name,
          found: /.{0,20}(?:[\p{L}\p{N})»] ?(?<![\u00a0\u202f])[:;!?](?=\s|$)).{0,20}/u.exec(read)?.[0],
        }).toEqual({ name, found: undefined });
    }
  });

  test("a discreet one names no service, address or category where a locked screen shows it", () => {
    const { email, telegram } = everyDiscreetMessage({ language, translate });
    const label = (name: string) => translate(language, `data_classes.${dataClassKey(name)}`);
    const secrets = [
      ADDRESS,
      "Adobe",
      "Everything",
      ".example",
      ...(worst.breach?.dataClasses.slice(0, -1).map(label) ?? []),
    ];
    for (const [name, { subject, preview }] of Object.entries(email))
      for (const secret of secrets)
        expect({ name, shown: `${subject} ${preview}`.includes(secret) }).toEqual({ name, shown: false });
    for (const [name, content] of Object.entries(telegram)) {
      const { title, body } = pushText(content, PUSH, { links: false });
      const shown = [telegramText(content), title, body].join("\n");
      for (const secret of secrets)
        expect({ name, secret, shown: shown.includes(secret) }).toEqual({ name, secret, shown: false });
    }
  });

  test("the text after the preview in a list of mails is hidden", () => {
    const { email } = everyDiscreetMessage({ language, translate });
    for (const content of Object.values(email)) {
      const { html } = layOut(content);
      const [, after = ""] = html.split(content.preview);
      // Mail lists show up to about 150 characters.
      const characters = after.replaceAll(/&(?:#847|zwnj|nbsp);/g, "·").split("<")[0] ?? "";
      expect(characters.length).toBeGreaterThan(200);
    }
  });
});

describe("The message texts", () => {
  const used = new Set<string>();
  const recording: Translate = Object.assign(
    (language: Language, key: string, params = {}) => {
      used.add(key);
      return translate(language, key, params);
    },
    { has: translate.has },
  );
  messagesIn("en", recording);
  everyDiscreetMessage({ language: "en", translate: recording });
  const keysOf = (topic: string, language: Language = "en") =>
    Object.keys(JSON.parse(readFileSync(join(LOCALES, language, `${topic}.json`), "utf8")));

  test("are all used somewhere: in a message, on the buttons of a notification, or in the local inbox", () => {
    const adapters = join(import.meta.dirname, "../../src/notifications/adapters");
    const pages = [...new Bun.Glob("**/{mailbox*,webpush}.ts").scanSync(adapters)].map((file) =>
      readFileSync(join(adapters, file), "utf8"),
    );
    const isNamed = (key: string) => pages.some((page) => page.includes(`"${key}"`) || page.includes(`mail.${key}`));
    const said = (key: string) =>
      used.has(`mail.${key}`) ||
      (key.startsWith("push.") && isNamed(key)) ||
      (key.startsWith("mailbox.") && (isNamed(key) || isNamed(key.slice("mailbox.".length))));
    expect(keysOf("mail").filter((key) => !said(key))).toEqual([]);
  });

  test("of the bot are all used somewhere, and exist in every language", () => {
    const glob = new Bun.Glob("**/*.ts");
    const root = join(import.meta.dirname, "../../src");
    const source = [...glob.scanSync(root)].map((file) => readFileSync(join(root, file), "utf8")).join("\n");
    const bot = readFileSync(join(root, "notifications/telegram/telegram_chat.ts"), "utf8");
    const named = (key: string) =>
      bot.includes(`"${key}"`) || source.includes(`"telegram.${key}"`) || key.startsWith("command.");
    expect(keysOf("telegram").filter((key) => !named(key))).toEqual([]);
    const said = [...bot.matchAll(/say\(\s*"([\w.]+)"/g)].map(([, key = ""]) => key);
    expect(said.length).toBeGreaterThanOrEqual(10);
    for (const language of LANGUAGES) expect(keysOf("telegram", language)).toEqual(expect.arrayContaining(said));
  });

  test("that are missing fail this test, but not a message that is being sent", () => {
    const directory = mkdtempSync(join(tmpdir(), "locales-"));
    try {
      cpSync(LOCALES, directory, { recursive: true });
      const path = join(directory, "it", "mail.json");
      const whole = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
      for (const key of ["digest.intro", "worse.genuine", "security_changed.left", "monthly_summary.more"]) {
        const { [key]: gone, ...rest } = whole;
        expect(gone).toBeString();
        writeFileSync(path, JSON.stringify(rest));
        const lacking = intlTranslate(directory);
        expect(() => messagesIn("it", lacking)).toThrow(key);
        expect(() => messagesIn("es", lacking)).not.toThrow();
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
