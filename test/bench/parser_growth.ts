import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { datasetReader } from "../../src/breaches/datasets/dataset_lines.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { memoryGround, signedUp, worldOn } from "../support/world.ts";
import { round, tell } from "./figures.ts";

/** In characters; four times as many may take four times as long, plus half as much again for measurement errors. */
const SIZES = [15_000, 60_000] as const;
const BOUND = 6;
const ROUNDS = 30;
/** Below this a figure measures the clock rather than the parser. */
const FLOOR_MS = 2;

/** The lines of an operator's file that are hardest for a CSV or JSON parser. */
const LINES: Record<string, (length: number) => string> = {
  "empty cells": (length) => ",".repeat(length),
  "cells with spaces": (length) => " ,".repeat(length / 2),
  "spaces before a cell": (length) => `${" ".repeat(length)}x`,
  "quoted cells": (length) => '"a",'.repeat(length / 4),
  "quotes in a cell": (length) => `"${'""'.repeat(length / 2)}"`,
  "a cell without an end": (length) => `"${'""'.repeat(length / 2)}x`,
  "unordered marks": (length) => `${"a\u0315\u0300\u05ae\u0300".repeat(length / 5)}@example.org`,
  "an address of many parts": (length) => `a@${"b.".repeat(length / 2)}example`,
};

const MESSAGES: Record<string, (length: number) => string> = {
  "words with values": (length) => "{a} ".repeat(length / 4),
  plurals: (length) => "{n, plural, one {#} other {#}} ".repeat(length / 31),
  "quoted words": (length) => "'{a}' ".repeat(length / 6),
};

type Parser = { name: string; of: (length: number) => () => unknown };

function lineParsers(): Parser[] {
  const { read } = datasetReader("email,breach", { breach: "Adobe", hash: (text) => text });
  const json = datasetReader("{}", { breach: "Adobe", hash: (text) => text });
  const nested = (length: number) => `{"email":${"[".repeat(length / 2)}${"]".repeat(length / 2)}}`;
  return [
    ...Object.entries(LINES).map(([name, lineOf]) => ({
      name: `csv: ${name}`,
      of: (length: number) => read.bind(undefined, lineOf(length)),
    })),
    { name: "json: nested lists", of: (length) => json.read.bind(undefined, nested(length)) },
  ];
}

/** The longest message of the product's own files, the only source of messages, has a thousand characters. */
const OF_MESSAGES = 0.1;

/** Without a cache each time, as when a process first uses its messages. */
function messageParsers(directory: string): Parser[] {
  return Object.entries(MESSAGES).map(([name, messageOf]) => ({
    name: `icu: ${name}`,
    of(length) {
      for (const language of LANGUAGES) {
        mkdirSync(join(directory, language), { recursive: true });
        writeFileSync(
          join(directory, language, "mail.json"),
          JSON.stringify({ growing: messageOf(length * OF_MESSAGES) }),
        );
      }
      return () => intlTranslate(directory)("en", "mail.growing", { a: "a", n: 2 });
    },
  }));
}

async function searches(): Promise<Parser[]> {
  const call = await signedUp(worldOn(memoryGround()), "bench@example.com");
  return ["/api/alerts", "/api/associations"].map((path) => ({
    name: `search: ${path}`,
    of(length) {
      const typed = `${path}?search=${encodeURIComponent("a\u0315\u0300\u05ae\u0300".repeat(length / 5))}`;
      return async () => (await call("GET", typed)).arrayBuffer();
    },
  }));
}

async function timeOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  // The fastest run, as other load on the machine only adds time.
  return Math.min(...times);
}

/** Whether the parsers of operators' files, messages and searches take linear time. */
export async function parserGrowth(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "breachbell-words-"));
  const measured: { name: string; large: number; growth: number }[] = [];
  for (const { name, of } of [...lineParsers(), ...messageParsers(directory), ...(await searches())]) {
    const small = await timeOf(of(SIZES[0]));
    const large = await timeOf(of(SIZES[1]));
    measured.push({ name, large, growth: large / Math.max(FLOOR_MS, small) });
  }
  rmSync(directory, { recursive: true });
  const worst = measured.toSorted((one, other) => other.growth - one.growth)[0];
  const slowest = measured.toSorted((one, other) => other.large - one.large)[0];
  tell({
    line: "parser-growth",
    parsers: measured.length,
    characters: [...SIZES],
    worst: worst?.name,
    slowest: slowest?.name,
    slowest_ms: round(slowest?.large ?? 0),
    figure: round(worst?.growth ?? 0),
    bound: BOUND,
    pass: measured.length > 10 && (worst?.growth ?? 0) <= BOUND,
  });
}
