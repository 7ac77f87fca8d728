import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { mimeWriter } from "../../src/notifications/adapters/channels/email/email_mime.ts";

const from = { name: "Breachbell", address: "alerts@breachbell.example" };
const mail = (subject: string, text: string, html: string) => ({
  headers: { From: from, To: { name: "", address: "a@b.example" }, Subject: subject, "Message-ID": "<1@b.example>" },
  text,
  html,
});
/** The lines of a mail. */
const inLines = (text: string) => text.replaceAll(/\r\n?/g, "\n");
const headerNames = (raw: string) =>
  (raw.split("\r\n\r\n")[0] ?? "").split(/\r\n(?![ \t])/).map((line) => line.split(":")[0]);

describe("mimeWriter()", () => {
  const write = mimeWriter();

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
        const raw = write(mail("Hello", text, html));
        expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/);
        expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(76);
        expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        const parts = raw.split(/--=_[\w-]+(?:--)?\r\n/).slice(1, 3);
        const read = await Promise.all(parts.map((part) => PostalMime.parse(part)));
        const wanted = (said: string) => `${inLines(Buffer.from(said).toString())}\n`;
        expect(inLines(read[0]?.text ?? "")).toBe(wanted(text));
        expect(inLines(read[1]?.html ?? "")).toBe(wanted(html));
      }),
      { numRuns: 300 },
    );
  });

  test("lets no text become a header, whatever mail came before", () => {
    const usual = headerNames(write(mail("Hello", "text", "html")));
    expect(usual).toEqual(["From", "To", "Subject", "Message-ID", "MIME-Version", "Content-Type"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (words) => {
        for (const subject of [words, `${words}\r\nBcc: eve@evil.example`, `Hi\n\nBcc: ${words}`])
          expect(headerNames(write(mail(subject, "text", "html")))).toEqual(usual);
      }),
    );
  });

  test("is parsed as one message with both parts and its own subject", async () => {
    for (let number = 0; number < 500; number++) {
      const raw = write(mail(`Müller & Söhne ${number}`, `Grüße ${number}`, `<p>Grüße ${number}</p>`));
      const read = await PostalMime.parse(raw);
      expect(read).toMatchObject({ from, to: [{ address: "a@b.example" }], subject: `Müller & Söhne ${number}` });
      expect([read.text?.trim(), read.html?.trim()]).toEqual([`Grüße ${number}`, `<p>Grüße ${number}</p>`]);
    }
  });
});
