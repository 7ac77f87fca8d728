import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  bundledCatalogue,
  EXAMPLE_ADDRESSES,
  listedAt,
  readPublished,
  STATE_FILE,
} from "../breaches/adapters/sources/bundled/bundled.ts";
import type { Breach } from "../breaches/catalogue/breach.ts";

const USAGE = `Publishes further breaches of the bundled source.

  bun run publish-breach                      up to the next breach that concerns an example address
  bun run publish-breach --until YYYY-MM-DD   up to the end of that day
  bun run publish-breach --all                all of them`;

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

function readArguments(): { all: boolean; until: string | undefined } {
  try {
    const { values } = parseArgs({
      options: { all: { type: "boolean" }, until: { type: "string" }, help: { type: "boolean" } },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const { all = false, until } = values;
    const isDay =
      until === undefined || (/^\d{4}-\d\d-\d\d$/.test(until) && new Date(until).toJSON()?.startsWith(until));
    if (isDay && !(all && until !== undefined)) return { all, until };
    return stop(USAGE);
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

/** The example addresses in a breach. */
function concerned(breach: Breach): string[] {
  return Object.entries(EXAMPLE_ADDRESSES).flatMap(([address, names]) =>
    names.includes(breach.name) ? [address] : [],
  );
}

function stepEnd(waiting: Breach[], { all, until }: ReturnType<typeof readArguments>): string | undefined {
  if (until !== undefined) return `${until}T23:59:59Z`;
  return (all ? waiting.at(-1) : waiting.find((breach) => concerned(breach).length > 0))?.addedDate;
}

/** Written atomically: a reader sees the old state or the new one. */
function writePublished(stateFile: string, published: string): void {
  mkdirSync(dirname(stateFile), { recursive: true, mode: 0o700 });
  const draft = `${stateFile}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify({ published })}\n`);
  renameSync(draft, stateFile);
}

// Files that this process creates are accessible to their owner only.
process.umask(0o077);
const wanted = readArguments();
const stateFile = join(resolve(import.meta.dirname, "../..", process.env.DATA_DIR || "data"), STATE_FILE);
const catalogue = await bundledCatalogue();
const published = await readPublished(stateFile).catch((error: Error) => stop(error.message));
const waiting = catalogue.breaches
  .filter((breach) => Date.parse(breach.addedDate) > Date.parse(published))
  .sort((a, b) => a.addedDate.localeCompare(b.addedDate));
const end = stepEnd(waiting, wanted);

if (waiting.length === 0) {
  console.log(`Nothing is left to publish: all ${catalogue.breaches.length} bundled breaches are listed.`);
} else if (end === undefined) {
  console.log(`None of the ${waiting.length} remaining breaches concerns an example address; --all publishes them.`);
} else {
  const step = waiting.filter((breach) => Date.parse(breach.addedDate) <= Date.parse(end));
  if (step.length === 0) {
    console.log(
      `Nothing to publish up to ${wanted.until}; the next breach was added on ${waiting[0]?.addedDate.slice(0, 10)}.`,
    );
  } else {
    writePublished(stateFile, end);
    console.log(`Published ${step.length} of ${waiting.length} waiting breaches in ${stateFile}:`);
    for (const breach of step) {
      const addresses = concerned(breach);
      console.log(
        `  ${breach.addedDate}  ${breach.title}${addresses.length > 0 ? `  -> ${addresses.join(", ")}` : ""}`,
      );
    }
    const addresses = [...new Set(step.flatMap(concerned))];
    console.log(
      addresses.length > 0
        ? `Example addresses concerned: ${addresses.join(", ")}.`
        : "No example address is concerned.",
    );
    console.log(
      `${listedAt(catalogue, end).length} breaches are listed now. The running server notices within seconds.`,
    );
    console.log("Breach data: Have I Been Pwned, https://haveibeenpwned.com, CC BY 4.0.");
  }
}
