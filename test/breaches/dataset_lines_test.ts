import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { cellsOf, datasetReader } from "../../src/breaches/datasets/dataset_lines.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { normaliseEmail } from "../../src/shared/email_address.ts";

const ADA = addressHashes("ada@example.com");
const reader = (first: string, breach?: string) => datasetReader(first, { breach, hash: hashToken }).read;
const found = (hash: string, breach = "Shop") => ({ kind: "finding" as const, hash, breach });
const clear = (breach = "Shop", address = "ada@example.com") => ({
  ...found(addressHashes(address).sha256, breach),
  address,
});
const bad = { kind: "bad" as const, reason: expect.any(String) };
const NOTHING = { kind: "nothing" as const };

describe("datasetReader() for CSV", () => {
  const cases: [title: string, first: string, line: string, expected: unknown][] = [
    ["an address alone", "x@example.com", " Ada@Example.COM ", clear()],
    ["a SHA-1, in capitals", "x@example.com", ADA.sha1.toUpperCase(), found(ADA.sha1)],
    ["a SHA-256", "x@example.com", ADA.sha256, found(ADA.sha256)],
    ["its own breach", "x@example.com,Other", "ada@example.com,Other", clear("Other")],
    ["an empty breach", "x@example.com,Other", "ada@example.com,", clear()],
    ["semicolons", "breach;email", "Other;ada@example.com", clear("Other")],
    ["tabs and more columns", "id\tEmail\tpassword", "7\tada@example.com\thunter2", clear()],
    ["quotes", "email,breach", '"ada@example.com","A ""B"", C"', clear('A "B", C')],
    ["the names of the columns", "email,breach", "email,breach", NOTHING],
    ["a blank line", "email,breach", "  ", NOTHING],
    ["an unterminated quote", "email,breach", '"ada@example.com,Shop', bad],
    ["no address", "email,breach", ",Shop", bad],
    ["an address and a password", "x@example.com", "ada@example.com:hunter2", bad],
    ["a hash of another length", "hash", ADA.sha1.slice(1), bad],
    ["a missing column", "breach,email", "Shop", bad],
    ["a breach with control characters", "email,breach", 'ada@example.com,"A\u0007B"', bad],
    ["an over-long breach", "email,breach", `ada@example.com,${"x".repeat(101)}`, bad],
  ];
  test.each(cases)("%s", (_, first, line, expected) => {
    expect(reader(first, "Shop")(line)).toEqual(expected as never);
  });

  test("takesHashes makes a line with only a hash belong to the file's breach", () => {
    const takesHashes = (first: string, breach?: string) =>
      datasetReader(first, { breach, hash: hashToken }).takesHashes;
    for (const first of [ADA.sha1, ADA.sha256, "hash", "hash,breach"]) {
      for (const hash of [ADA.sha1, ADA.sha256]) expect(reader(first, "Shop")(hash)).toEqual(found(hash));
      expect(takesHashes(first, "Shop")).toBe(true);
      for (const breach of [undefined, "x".repeat(101), "A\u0007B"]) expect(takesHashes(first, breach)).toBe(false);
    }
    for (const first of ["breach,hash", "{}"]) expect(takesHashes(first, "Shop")).toBe(false);
  });

  test("a line needs a breach, its own or the file's", () => {
    expect(reader("email")("ada@example.com")).toEqual(bad);
  });

  test("cellsOf() parses any correctly written line, and terminates on everything else", () => {
    const cell = fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text));
    const written = (cells: string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(";");
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => expect(cellsOf(written(cells), ";")).toEqual(cells)),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void cellsOf(text, ",")));
  });
});

describe("datasetReader() for NDJSON", () => {
  const cases: [title: string, line: string, expected: unknown][] = [
    ["an address", '{"email":"ada@example.com"}', clear()],
    ["keys in any case, unknown ones ignored", '{"EMail":"ada@example.com","password":"hunter2"}', clear()],
    ["a hash and a breach", `{"sha1":"${ADA.sha1}","breach":" Other "}`, found(ADA.sha1, "Other")],
    ["a blank line", "", NOTHING],
    ["broken JSON", '{"email":', bad],
    ["a list", '["ada@example.com"]', bad],
    ["null", "null", bad],
    ["a number as an address", '{"email":7}', bad],
    ["an inherited key", '{"__proto__":{"email":"ada@example.com"}}', bad],
  ];
  test.each(cases)("%s", (_, line, expected) => {
    expect(reader('{"email":"x@example.com"}', "Shop")(line)).toEqual(expected as never);
  });
});

describe("datasetReader()", () => {
  test("never throws, never quotes a line, and returns nothing but hashes and normalised addresses", () => {
    const first = fc.constantFrom("email,breach", '{"email":"a@example.com"}', "x", "", "sha1\tbreach");
    const line = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.emailAddress());
    fc.assert(
      fc.property(first, line, (head, text) => {
        const read = reader(head, "Shop")(text);
        if (read.kind === "finding") {
          expect(read.hash).toMatch(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);
          if (read.address !== undefined) expect(normaliseEmail(read.address)).toBe(read.address);
          expect(Object.keys(read).filter((key) => !["kind", "hash", "address", "breach"].includes(key))).toEqual([]);
        }
        if (read.kind === "bad") {
          expect(read.reason).not.toBe("");
          expect(reader(head, "Shop")("\u0000")).toHaveProperty("kind");
        }
      }),
    );
  });

  test("hashes the normalised address, in any spelling", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (typed) => {
        const address = normaliseEmail(typed);
        const read = reader("email", "Shop")(`"${typed.toUpperCase().replaceAll('"', '""')}"`);
        expect(read).toEqual(address ? clear("Shop", address) : bad);
      }),
    );
  });
});
