import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { mimeOf } from "../../src/notifications/adapters/channels/email/email_mime.ts";

const from = { name: "Breachbell", address: "alerts@breachbell.example" };
const write = async (subject: string, text: string, html: string) => {
  const to = { name: "", address: "a@b.example" };
  const headers = { "Content-Language": "en" };
  const date = new Date("2026-11-20T12:00:00Z");
  return (await mimeOf({ from, to, subject, messageId: "<1@b.example>", date, headers, text, html })).toString(
    "latin1",
  );
};
/** The lines of a mail. */
const inLines = (text: string) => text.replaceAll(/\r\n?/g, "\n");
const headerNames = (raw: string) =>
  (raw.split("\r\n\r\n")[0] ?? "").split(/\r\n(?![ \t])/).map((line) => line.split(":")[0]);

describe("mimeOf()", () => {
  test("produces short ASCII lines that mail programs decode to the original", async () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom("a", " ", "\t", "=", "\n", "\r", ".", "-", "ü", "€", "😀", "\u0000"),
        maxLength: 300,
      }),
    );
    await fc.assert(
      fc.asyncProperty(anything, anything, async (text, html) => {
        const raw = await write("Hello", text, html);
        expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/);
        expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(76);
        expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        const read = await PostalMime.parse(raw);
        const wanted = (said: string) => inLines(Buffer.from(said).toString()).trimEnd();
        expect(inLines(read.text ?? "").trimEnd()).toBe(wanted(text));
        expect(inLines(read.html ?? "").trimEnd()).toBe(wanted(html));
      }),
      { numRuns: 300 },
    );
  });

  test("lets no text become a header", async () => {
    const usual = headerNames(await write("", "text", "html"));
    expect(usual).toEqual(["Content-Language", "From", "To", "Message-ID", "Date", "MIME-Version", "Content-Type"]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (words) => {
        for (const subject of [words, `${words}\r\nBcc: eve@evil.example`, `Hi\n\nBcc: ${words}`])
          expect(headerNames(await write(subject, "text", "html")).filter((name) => name !== "Subject")).toEqual(usual);
      }),
    );
  });

  test("is parsed as one message with both parts and its own subject", async () => {
    for (let number = 0; number < 500; number++) {
      const raw = await write(`Müller & Söhne ${number}`, `Grüße ${number}`, `<p>Grüße ${number}</p>`);
      const read = await PostalMime.parse(raw);
      expect(read).toMatchObject({ from, to: [{ address: "a@b.example" }], subject: `Müller & Söhne ${number}` });
      expect([read.text?.trim(), read.html?.trim()]).toEqual([`Grüße ${number}`, `<p>Grüße ${number}</p>`]);
    }
  });
});
