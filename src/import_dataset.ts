import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { IMPORTS, progressPath, requestPath, writeWhole } from "./breaches/adapters/import_files.ts";
import type { ImportProgress, ImportRequest } from "./breaches/dataset_ports.ts";

const USAGE = `Imports a file of addresses, or of their SHA-1 or SHA-256 hashes, and the breach they come from.
CSV or NDJSON, plain or gzip; columns or keys: email, sha1, sha256 or hash, and breach.

  bun run import-dataset <file> [--breach name] [--title text] [--domain name] [--date YYYY-MM-DD]
                         [--data "Email addresses,Passwords"] [--skip-bad-lines]

The running server, with "dataset" in BREACH_SOURCE and the same DATA_DIR, does the work and must be able to read the
file. Stopped half-way it goes on when it runs again; importing a file again changes nothing.`;

const LOOK_EVERY_MS = 300;
const PATIENCE_MS = 15_000;

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...{ breach: { type: "string" }, title: { type: "string" }, domain: { type: "string" } },
        ...{ date: { type: "string" }, data: { type: "string" } },
        ...{ "skip-bad-lines": { type: "boolean" }, help: { type: "boolean" } },
      },
    });
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

function requestOf({ values, positionals }: ReturnType<typeof readArguments>): ImportRequest {
  const [typed, ...more] = positionals;
  if (typed === undefined || more.length > 0) stop(USAGE);
  if (values.date !== undefined && !isDay(values.date)) stop(`Cannot use "${values.date}" as a day: YYYY-MM-DD`);
  const file = resolve(typed);
  if (!existsSync(file) || !statSync(file).isFile()) stop(`Cannot find the file "${file}"`);
  const { size, mtimeMs: modifiedAt } = statSync(file);
  const breach = values.breach?.trim() || undefined;
  const facts = {
    ...(values.title && { title: values.title }),
    ...(values.domain && { domain: values.domain }),
    ...(values.date && { breachDate: values.date }),
    ...(values.data && { dataClasses: values.data.split(",").map((label) => label.trim()) }),
  };
  const id = createHash("sha256")
    .update(JSON.stringify([file, size, modifiedAt, breach]))
    .digest("hex")
    .slice(0, 32);
  return { id, file, size, modifiedAt, skipBad: values["skip-bad-lines"] ?? false, breach, facts };
}

function show({ lines, added, raised, bad }: ImportProgress): string {
  return `${lines} lines read, ${added} new findings, ${raised} alerts raised, ${bad} bad lines skipped`;
}

/** Shows how far it is until it ends; gives up showing, not the import, when nobody begins. */
async function follow(directory: string, { id }: ImportRequest): Promise<ImportProgress> {
  const path = progressPath(directory, id);
  let [shown, began] = ["", Date.now()];
  for (;;) {
    const progress = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ImportProgress) : undefined;
    if (progress && show(progress) !== shown) {
      shown = show(progress);
      began = Number.POSITIVE_INFINITY;
      console.log(`  ${shown}`);
    }
    if (progress && progress.state !== "running") return progress;
    if (Date.now() - began > PATIENCE_MS) {
      console.log(
        `Nobody has begun yet: is the server running, with "dataset" in BREACH_SOURCE and DATA_DIR=${resolve(directory, "..")}?\nThe request stays in ${requestPath(directory, id)}; waiting.`,
      );
      began = Number.POSITIVE_INFINITY;
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

const given = readArguments();
if (given.values.help) {
  console.log(USAGE);
  process.exit(0);
}
const request = requestOf(given);
const directory = join(resolve(import.meta.dirname, "..", process.env.DATA_DIR || "data"), IMPORTS);
mkdirSync(directory, { recursive: true, mode: 0o700 });
rmSync(progressPath(directory, request.id), { force: true });
await writeWhole(requestPath(directory, request.id), request);
console.log(`Importing ${request.file} …`);
const last = await follow(directory, request);
for (const { line, reason } of last.problems) console.log(`  line ${line}: ${reason}`);
if (last.bad > last.problems.length) console.log(`  … and ${last.bad - last.problems.length} more`);
if (last.state === "stopped") {
  console.error(
    `Stopped: ${last.reason}. ${last.lines} lines are imported. Mend the file, or go on with --skip-bad-lines.`,
  );
  process.exit(1);
}
console.log("Done.");
