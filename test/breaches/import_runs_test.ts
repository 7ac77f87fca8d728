import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { importFiles, requestPath, writeWhole } from "../../src/breaches/adapters/sources/dataset/import_files.ts";
import { hashesOf } from "../../src/breaches/datasets/hash_blocks.ts";
import { endAfter, runsOf } from "../../src/breaches/datasets/import_runs.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";

const directory = mkdtempSync(join(tmpdir(), "breachbell-runs-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** The result of reading a file from that line on, where Alice's and Bob's addresses are monitored. */
async function runsIn(text: string | Uint8Array, lines = 0) {
  const [file, id] = [join(directory, "file"), "a".repeat(32)];
  writeFileSync(file, text);
  const { size, mtimeMs: modifiedAt } = statSync(file);
  const request = { id, file, size, modifiedAt, skipBad: true, breach: "Shop", facts: {} };
  await writeWhole(requestPath(directory, id), request);
  const { deps, watch } = breachWorld();
  for (const person of [ALICE, BOB]) await watch(person);
  const from = { state: "running" as const, lines, added: 0, raised: 0, bad: 0, problems: [], reason: undefined };
  const runs = await Array.fromAsync(runsOf(deps, { imports: importFiles(directory), request, from }));
  return {
    ends: runs.map(({ progress }) => progress.lines),
    last: runs.at(-1)?.progress,
    candidates: runs.flatMap((run) => run.candidates),
    hashes: runs.flatMap(({ all }) => [...all.blocks()].flatMap(hashesOf)),
  };
}

test("endAfter() splits a file the same way wherever it was interrupted, with growing batches", () => {
  const next = (from: number, many: number): number[] =>
    many === 0 ? [] : [endAfter(from), ...next(endAfter(from), many - 1)];
  const all = next(0, 12);
  expect(all).toEqual([
    ...[1000, 3000, 7000, 15_000, 31_000, 63_000, 127_000],
    ...[255_000, 511_000, 767_000, 1_023_000, 1_279_000],
  ]);
  for (const from of [1, 999, 1000, 2999, 126_999, 127_000, 300_000, 383_000])
    expect(next(from, 2)).toEqual(all.filter((end) => end > from).slice(0, 2));
});

const UTF_16_BE = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();

describe("the encodings of a file", () => {
  const who = [addressHashes(ALICE.address).sha256, addressHashes(BOB.address).sha256];
  const list = (end: string) => ["Nom;E-Mail", `Éva;${ALICE.address}`, `Bob;${BOB.address}`, ""].join(end);

  test.each<[string, string | Uint8Array]>([
    ["line feeds", list("\n")],
    ["carriage returns alone", list("\r")],
    ["lines of Windows and a byte order mark", `\ufeff${list("\r\n")}`],
    ["UTF-16, little-endian", Buffer.from(`\ufeff${list("\r\n")}`, "utf16le")],
    ["UTF-16, big-endian", UTF_16_BE(list("\r"))],
    ["gzip of UTF-16", Bun.gzipSync(Buffer.from(`\ufeff${list("\r\n")}`, "utf16le"))],
  ])("are read: %s", async (_, content) => {
    const { candidates, last } = await runsIn(content);
    expect(candidates.map(({ hash }) => hash)).toEqual(who);
    expect(last).toMatchObject({ state: "done", lines: 3, bad: 0 });
  });

  test("carriage returns at the ends of chunks are read as one line end with the line feed that follows", async () => {
    const filler = (length: number) => "x".repeat(length);
    for (const length of [128 * 1024 - 2, 128 * 1024 - 1, 128 * 1024]) {
      const { last, candidates } = await runsIn(`${filler(length)}\r\n${ALICE.address}\r${BOB.address}\r`);
      expect([length, last?.lines, candidates.length]).toEqual([length, 3, 2]);
    }
  });

  test("another one is named with the line that cannot be read, instead of changing its characters", async () => {
    const latin = Buffer.from(`E-Mail;Name\n${ALICE.address};Eva\n${BOB.address};Müller\n`, "latin1");
    const { last, candidates } = await runsIn(latin);
    expect(candidates).toHaveLength(1);
    expect(last?.problems).toEqual([{ line: 3, reason: expect.stringContaining("not UTF-8") }]);
  });
});

describe("runsOf()", () => {
  const HASHES = Array.from({ length: 9000 }, (_, number) => addressHashes(`p${number}@example.org`).sha1);
  const alice = addressHashes(ALICE.address).sha256;
  const bob = addressHashes(BOB.address).sha1;

  test("reads hashes of both kinds among addresses, with any line ending, and lines longer than a chunk", async () => {
    const lines = [
      ...HASHES,
      `${alice}\r`,
      "x".repeat(300_000),
      "",
      ` ${bob.toUpperCase()}`,
      "p1@example.org\r",
      HASHES[2],
    ];
    const { last, hashes, candidates } = await runsIn(lines.join("\n"));
    expect(last).toMatchObject({ state: "done", lines: 9006, bad: 1 });
    expect(last?.problems).toEqual([{ line: 9002, reason: "it is too long" }]);
    expect(new Set(hashes)).toEqual(new Set([...HASHES, alice, bob, addressHashes("p1@example.org").sha256]));
    expect(candidates).toEqual([
      { hash: alice, breach: "Shop" },
      { hash: bob, breach: "Shop" },
    ]);
  });

  test("finishes an empty file immediately", async () => {
    expect(await runsIn("")).toMatchObject({ last: { state: "done", lines: 0, bad: 0 }, candidates: [], hashes: [] });
  });

  test("resumes after the lines already read, and ends its runs at the same lines", async () => {
    const text = `${[...HASHES.slice(0, 5000), bob, ...HASHES.slice(5000)].join("\n")}\n`;
    expect((await runsIn(text)).ends).toEqual([1000, 3000, 7000, 9001]);
    const rest = await runsIn(text, 3500);
    expect(rest.ends).toEqual([7000, 9001]);
    expect(new Set(rest.hashes)).toEqual(new Set([bob, ...HASHES.slice(3500)]));
    expect((await runsIn(text, 9001)).hashes).toEqual([]);
  });
});
