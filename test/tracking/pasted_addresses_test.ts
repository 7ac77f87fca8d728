import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pastedAddresses } from "../../src/tracking/pasted_addresses.ts";

const addressesIn = (text: string) => pastedAddresses(text).map(({ address }) => address);
const [ANNA, BERT, CARL] = ["anna@example.org", "bert@example.org", "carl@example.org"];

describe("pastedAddresses()", () => {
  test("accepts a table, with or without headings, and names each line without an address", () => {
    const text =
      '\ufeffName;E-Mail;Remark\r\nBob;"bob@example.net";x\r\n\r\nCharlie\tcharlie@EXAMPLE.org.\r\nnobody\r\n;;';
    expect(pastedAddresses(text)).toEqual([
      { line: 2, text: "bob@example.net", address: "bob@example.net" },
      { line: 4, text: "charlie@EXAMPLE.org", address: "charlie@example.org" },
      { line: 5, text: "nobody", address: undefined },
    ]);
  });

  test.each([
    ["commas", `${ANNA}, ${BERT}, ${CARL}`],
    ["semicolons", `${ANNA};${BERT}; ${CARL};`],
    ["spaces", `${ANNA} ${BERT}  ${CARL}`],
    ["tabs", `${ANNA}\t${BERT}\t${CARL}`],
    ["line feeds", `${ANNA}\n${BERT}\n\n${CARL}\n`],
    ["carriage returns alone", `${ANNA}\r${BERT}\r${CARL}`],
    ["lines of Windows", `${ANNA}\r\n${BERT}\r\n${CARL}\r\n`],
    ["wide separators", `${ANNA}，${BERT}；${CARL}`],
    ["names, as in a mail program", `Anna <${ANNA}>, "Muster, Bert" <${BERT}>, Carl C. <${CARL}>`],
    ["links", `mailto:${ANNA} <mailto:${BERT}> mailto:${CARL}?subject=Hi`],
    ["quotes and brackets", `"${ANNA}", (${BERT}), „${CARL}“.`],
    ["a line for Excel", `sep=;\r\nName;E-Mail\r\nAnna;${ANNA}\r\nBert;${BERT}\r\nCarl;${CARL}`],
    ["two address columns", `First Name,E-mail 1 - Value,E-mail 2 - Value\nAnna,${ANNA},${BERT}\nCarl,${CARL},`],
    ["a quoted cell with several", `Name,E-mail\n"A, B","${ANNA}, ${BERT}"\nC,${CARL}`],
    ["a quote that is never closed", `"Anna ${ANNA}, ${BERT}, ${CARL}`],
    ["invisible marks", `\u202a${ANNA}\u202c, \u200e${BERT}\u200f \u2068${CARL}\u2069`],
  ])("takes all addresses separated by %s", (_, text) => {
    expect(addressesIn(text)).toEqual([ANNA, BERT, CARL]);
  });

  test.each([
    "E-mail address",
    "E-Mail-Adresse",
    "Adresse e-mail",
    "Indirizzo e-mail",
    "Correo electrónico",
    "Endereço de e-mail",
  ])("leaves out the heading %s", (heading) => {
    expect(addressesIn(`Name;${heading}\nAnna;${ANNA}`)).toEqual([ANNA]);
  });

  test.each([
    ["a plus-tag", "bob+news@example.net", "bob+news@example.net"],
    ["dots", "b.o.b@example.net", "b.o.b@example.net"],
    ["a question mark", "b?b@example.net", "b?b@example.net"],
    ["an internationalised domain", "bob@bücher.example", "bob@xn--bcher-kva.example"],
    ["mixed case and spaces", "  BoB@Example.NET  ", "bob@example.net"],
    [
      "an address of 255 characters",
      `${"b".repeat(60)}@${"x".repeat(62)}.${"y".repeat(62)}.${"z".repeat(62)}.example`,
      undefined,
    ],
    ["a formula", "=cmd|x", undefined],
    ["an address in brackets only", " < bob@example.net > ", "bob@example.net"],
    ["a name with empty brackets", "Bob Muster <>", undefined],
    ["text after the brackets", "Bob <bob@example.net> (work)", "bob@example.net"],
    ["two at signs", "bob@@example.net", undefined],
  ])("reads %s", (_, text, address) => {
    expect(addressesIn(text)).toEqual([address]);
  });

  test("does not take the end of a quoted local part for an address", () => {
    expect(addressesIn('"bob bob"@example.net')).toEqual([undefined]);
  });

  test("any list of addresses comes back whole, in any of these forms", () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    const address = fc
      .tuple(fc.stringMatching(/^[a-z0-9!#$%&*+/=?^_`{|}~-]{1,12}$/), label)
      .map(([local, domain]) => `${local}@${domain}.example`);
    const form = fc.constantFrom<(address: string) => string>(
      (one) => one,
      (one) => `Ada Lovelace <${one}>`,
      (one) => `"Lovelace, Ada" <${one}>`,
      (one) => `"${one}"`,
      (one) => `mailto:${one}`,
      (one) => `\u200e${one}\u202c`,
    );
    const separator = fc.constantFrom(",", ", ", ";", "\t", " ", "\n", "\r\n", "\r", ",\n");
    const list = fc.array(fc.tuple(address, form, separator), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(list, fc.constantFrom("", "\ufeff", "sep=;\n", "Name;E-Mail\n"), (entries, start) => {
        const text = start + entries.map(([one, write, then]) => write(one) + then).join("");
        expect(addressesIn(text)).toEqual(entries.map(([one]) => one));
      }),
    );
  });

  test("takes a text of any shape in time that grows with its length", () => {
    for (const piece of ['"', '",', '""', "@.", " ", ".@", "<", '"a,', "\u200f"])
      expect(pastedAddresses(`a${piece.repeat(60_000 / piece.length)}b`).length).toBeLessThanOrEqual(60_000);
  });
});
