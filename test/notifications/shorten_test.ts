import { describe, expect, test } from "bun:test";
import { pushText } from "../../src/notifications/adapters/channels/push_text.ts";
import { escaped, MAX_TEXT, telegramText } from "../../src/notifications/adapters/channels/telegram/telegram_text.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import { severalContent } from "../../src/notifications/messages/grouped_message.ts";
import { shortened } from "../../src/notifications/messages/shorten.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { everyMessage, PUBLIC_URL, worst } from "./every_message.ts";
import { translate } from "./post_office.ts";

const PUSHOVER = { title: 250, characters: 1024, bytes: 4096 };
const NTFY = { title: 250, characters: 3800, bytes: 3800 };
/** What a recipient of each short channel reads. */
const SHORT = {
  pushover: (content: Content) => pushText(content, PUSHOVER, { links: true }).body,
  ntfy: (content: Content) => pushText(content, NTFY, { links: false }).body,
  telegram: (content: Content) => telegramText(content),
};
const CHANNELS = Object.entries(SHORT);
/** The longest address that a provider accepts in practice, and a long title of the catalogue. */
const LONG = (index: number) => ({
  title: `${index}: Verifications.io and many more services of one operator`,
  address: `${"long.local.part.".repeat(4)}${index}@a-rather-long-domain.example`,
});

/** More than any channel has room for. */
const MANY = 60;

/** An alert about each of so many addresses. */
function several(count: number, language: (typeof LANGUAGES)[number]): Content {
  const alerts = Array.from({ length: count }, (_, index) => {
    const { title, address } = LONG(index);
    return { ...worst, alertId: `a${index}`, address, breach: worst.breach && { ...worst.breach, title } };
  });
  const stopUrl = `${PUBLIC_URL}/${language}/manage-contact#t=v1.${"x".repeat(60)}`;
  const now = new Date("2026-03-02T08:00:00Z");
  return severalContent("alerts", alerts, {
    language,
    translate,
    publicUrl: PUBLIC_URL,
    stopUrl,
    now,
    sources: ["hibp"],
  });
}

describe.each(CHANNELS)("A message by %s", (_, read) => {
  test.each([...LANGUAGES])(
    "in %s says what was found and for which address, whatever else has no room",
    (language) => {
      for (const [name, content] of Object.values(everyMessage({ language, translate })).flatMap(Object.entries)) {
        const text = read(content);
        const found = (content as Content).blocks.flatMap((block) => {
          if (block.kind === "facts") return block.facts.map(({ value }) => value);
          if (block.kind !== "breaches" || block.breaches.length > 3) return [];
          return block.breaches.flatMap(({ title, facts }) => [
            title,
            ...facts.flatMap(({ value, identifies }) => (identifies ? value : [])),
          ]);
        });
        for (const part of found)
          expect(text.includes(part) || text.includes(escaped(part)) ? "" : `${name}: ${part}`).toBe("");
      }
    },
  );

  test.each([...LANGUAGES])("in %s names each of two breaches with its address, however long they are", (language) => {
    const text = read(several(2, language));
    for (const index of [0, 1]) for (const part of Object.values(LONG(index))) expect(text).toContain(part);
  });

  test.each([...LANGUAGES])("in %s says how many more there are than have room", (language) => {
    const text = read(several(MANY, language));
    expect(text).toContain(LONG(0).address);
    const named = Array.from({ length: MANY }, (_, index) => LONG(index).address).filter((one) => text.includes(one));
    expect(text).toContain(`… +${MANY - named.length}`);
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT + 1000);
  });
});

describe("shortened()", () => {
  const paragraph = (text: string) => ({ kind: "paragraph", text }) as const;
  const steps = { kind: "steps", label: "What to do", steps: ["Change it"] } as const;
  const list = {
    kind: "breaches",
    label: "Found",
    breaches: ["One", "Two", "Three"].map((title) => ({ title, badges: ["weak"], facts: [] })),
  } as const;
  const blocks = [paragraph("Lead."), steps, { ...list, breaches: [...list.breaches] }, paragraph("More.")].map(
    (block) => block as Content["blocks"][number],
  );
  const kindsWithin = (most: number) =>
    shortened(blocks, (left) => JSON.stringify(left).length <= most)?.map(({ kind }) => kind);

  test("leaves a message that fits as it is", () => {
    expect(shortened(blocks, () => true)).toBe(blocks);
  });

  test("drops the advice first, then what is said beside, and the lead last", () => {
    const whole = JSON.stringify(blocks).length;
    expect(kindsWithin(whole - 1)).toEqual(["paragraph", "breaches", "paragraph"]);
    expect(kindsWithin(whole - 80)).toEqual(["paragraph", "breaches"]);
    expect(kindsWithin(180)).toEqual(["breaches"]);
  });

  test("is undefined where nothing fits", () => {
    expect(shortened(blocks, () => false)).toBeUndefined();
  });
});
