import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cut, pushText } from "../../src/notifications/adapters/channels/push_text.ts";
import type { Block, Content } from "../../src/notifications/messages/content.ts";
import { content } from "./sample_mail.ts";

const LIMITS = { title: 50, characters: 300, bytes: 600 };
const CREDIT = { text: "Data: Have I Been Pwned", links: [{ label: "HIBP", url: "https://haveibeenpwned.com" }] };
const paragraph = (text: string): Block => ({ kind: "paragraph", text });
const withBlocks = (blocks: Block[], more: Partial<Content> = {}): Content => ({ ...content, blocks, ...more });

describe("pushText()", () => {
  test("has the parts in their order, the first button as link, and the credit last", () => {
    const blocks: Block[] = [
      paragraph("One."),
      { kind: "facts", facts: [{ label: "Address", value: "alice@home.example" }] },
      { kind: "button", label: "View", url: "https://breachbell.example/en/alerts" },
      { kind: "tags", label: "Stolen", tags: ["Names", "Passwords"] },
    ];
    expect(pushText(withBlocks(blocks, { attribution: CREDIT }), LIMITS, { links: true })).toEqual({
      title: content.subject,
      body: [
        "One.",
        "Address: alice@home.example",
        "Stolen: Names, Passwords",
        "Abbestellen:\nhttps://breachbell.example/de/manage-contact#t=v1.x",
        "Data: Have I Been Pwned https://haveibeenpwned.com",
      ].join("\n\n"),
      link: { label: "View", url: "https://breachbell.example/en/alerts" },
    });
  });

  test("contains no stop link where others may read it", () => {
    const { body, link } = pushText(content, LIMITS, { links: false });
    expect(body).toBe("Grüße aus Zürich, 1 < 2");
    expect(link).toBeUndefined();
  });

  test("omits whole parts from the end, but never the credit", () => {
    const blocks = [paragraph("First."), paragraph("x".repeat(290)), paragraph("Last.")];
    const { body } = pushText(withBlocks(blocks, { attribution: CREDIT }), LIMITS, { links: false });
    expect(body).toBe("First.\n\nData: Have I Been Pwned https://haveibeenpwned.com");
  });

  test("respects the limits in characters and bytes for any input, and is never empty", () => {
    const text = fc.string({ unit: "binary", maxLength: 900 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), text, fc.boolean(), (texts, subject, credited) => {
        const some = withBlocks(texts.map(paragraph), { subject, ...(credited && { attribution: CREDIT }) });
        const { title, body } = pushText(some, LIMITS, { links: true });
        expect([...title].length).toBeLessThanOrEqual(LIMITS.title);
        expect([...body].length).toBeLessThanOrEqual(LIMITS.characters);
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(LIMITS.bytes);
        expect(body).not.toBe("");
        expect(body.isWellFormed() && title.isWellFormed()).toBe(true);
        if (credited) expect(body).toEndWith("https://haveibeenpwned.com");
      }),
      { seed: 20261122, numRuns: 300 },
    );
  });
});

describe("cut()", () => {
  test.each([
    ["short", 5, 20, "short"],
    ["too long", 5, 20, "too…"],
    ["😀😀😀😀", 3, 100, "😀😀…"],
    ["ééééé", 10, 7, "éé…"],
    ["a\ud800b", 10, 100, "a\ufffdb"],
  ])("cuts %p at %i characters and %i bytes", (text, characters, bytes, expected) => {
    expect(cut(text, characters, bytes)).toBe(expected);
  });
});
