import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import {
  IMPORTS,
  progressPath,
  requestPath,
  textOf,
  writeWhole,
} from "../breaches/adapters/sources/dataset/import_files.ts";
import type { ImportProgress, ImportRequest } from "../breaches/datasets/dataset_ports.ts";
import { type Answer, done, facts, failed, type Piece, text } from "./answer.ts";
import { type AppContext, command, type Given } from "./command.ts";
import { many } from "./words.ts";

const LOOK_EVERY_MS = 200;

const options = {
  breach: { kind: "text", value: "name", says: "the breach for lines that name none" },
  title: { kind: "text", value: "text", says: "its title, where no catalogue knows it yet" },
  domain: { kind: "text", value: "name", says: "its domain" },
  date: { kind: "day", value: "YYYY-MM-DD", says: "when it happened" },
  data: { kind: "text", value: "list", says: 'what was in it, such as "Email addresses,Passwords"' },
  "skip-bad-lines": { kind: "flag", says: "skip lines that cannot be read, and list them at the end" },
} as const;

function requestOf(
  file: string,
  { breach: typed, title, domain, date, data, ...rest }: Given<typeof options>["options"],
): ImportRequest {
  const { size, mtimeMs: modifiedAt } = statSync(file);
  const breach = typed?.trim() || undefined;
  const facts = {
    ...(title && { title }),
    ...(domain && { domain }),
    ...(date && { breachDate: date }),
    ...(data && { dataClasses: data.split(",").map((label) => label.trim()) }),
  };
  const id = hash("sha256", JSON.stringify([file, size, modifiedAt, breach])).slice(0, 32);
  return { id, file, size, modifiedAt, skipBad: rest["skip-bad-lines"], breach, facts };
}

/** Counts the lines, unpacked, alongside the import, to show its progress. */
async function countLines(file: string, signal: AbortSignal): Promise<number> {
  let [lines, last] = [0, 10];
  for await (const chunk of textOf(file)) {
    if (signal.aborted) break;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    last = chunk.at(-1) ?? last;
  }
  return last === 10 ? lines : lines + 1;
}

const says = ({ lines, added, raised, bad }: ImportProgress) =>
  `${many(lines, "line")} read, ${many(added, "new finding")}, ${many(raised, "alert")} raised, ${many(bad, "bad line")} skipped`;

/** Waits until the import has ended, and runs it unless another process has started. */
async function follow(
  office: AppContext,
  directory: string,
  request: ImportRequest,
): Promise<ImportProgress | undefined> {
  const { product, signal, progress } = office;
  const path = progressPath(directory, request.id);
  let total: number | undefined;
  // Problems with the file are reported by the import.
  countLines(request.file, signal)
    .then((count) => (total = count))
    .catch(() => {});
  let working = Promise.resolve();
  let isWorking = false;
  let [shown, wasResting] = ["", false];
  const look = () => {
    const state = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ImportProgress) : undefined;
    const line = state && `${says(state)}${total ?? ""}`;
    if (state && line !== shown) progress({ done: state.lines, total, says: says(state) });
    shown = line ?? shown;
    return state;
  };
  try {
    for (;;) {
      const state = look();
      if (state && state.state !== "running") return state;
      if (signal.aborted) {
        // The process that runs the import finds its request removed, and stops.
        rmSync(requestPath(directory, request.id), { force: true });
        await working;
        return look();
      }
      const rests = (await product.operations.currentMaintenance()) !== undefined;
      if (rests && !wasResting) office.tell("Maintenance began: the import waits until it is over");
      if (wasResting && !rests) office.tell("The service works again: the import goes on");
      wasResting = rests;
      if (!isWorking && !rests) {
        isWorking = true;
        working = product.breaches.importDue(product.operations.isUnderMaintenance).finally(() => (isWorking = false));
      }
      await Promise.race([...(isWorking ? [working] : []), Bun.sleep(LOOK_EVERY_MS)]);
      if (!isWorking) await Bun.sleep(LOOK_EVERY_MS / 4);
    }
  } finally {
    await working;
  }
}

function answerOf(file: string, last: ImportProgress | undefined): Answer {
  if (last === undefined) return failed("NOT_BEGUN", "The import had not begun");
  const { state, lines, added, raised, bad, problems, reason } = last;
  const data = { file, state, lines, added, raised, bad, problems, reason: reason ?? null };
  const bads = problems.map(({ line, reason: why }): Piece => text(`  line ${line}: ${why}`, "warn"));
  const more = bad > problems.length ? [text(`  … and ${bad - problems.length} more`, "warn")] : [];
  const sum = facts([
    ["lines read", String(lines)],
    ["new findings", String(added)],
    ["alerts raised", String(raised)],
    ["bad lines", String(bad)],
  ]);
  if (state === "done") return done(data, ...bads, ...more, sum);
  const mend = `${reason}. ${many(lines, "line")} were imported. Mend the file and run it again, or go on with --skip-bad-lines`;
  return failed("IMPORT_STOPPED", `Stopped: ${mend}`, { data, shown: [...bads, ...more] });
}

export const importing = command({
  name: "import",
  says: "Import a list of leaked addresses",
  more: 'CSV or NDJSON, plain or gzip; columns or keys: email, sha1, sha256 or hash, and breach. It needs "dataset" in BREACH_SOURCE. If interrupted, it resumes when run again; importing a file twice changes nothing. A running server must be able to read the file. It is refused during maintenance; a running import waits.',
  arguments: [{ name: "file", says: "the file to read" }],
  options,
  examples: [
    "import leaked.csv.gz",
    'import list.csv --breach Acme --title "Acme Inc." --date 2026-07-01 --skip-bad-lines',
  ],
  room: "app",
  changes: true,
  async run(office, { arguments: [typed = ""], options: given }) {
    const { config, directory: from, audit } = office;
    if (!config.sources.some(({ kind }) => kind === "dataset"))
      return failed(
        "NO_DATASET_SOURCE",
        'Nobody takes files here: put "dataset" into BREACH_SOURCE and restart the server',
      );
    if (await office.product.operations.currentMaintenance())
      return failed(
        "MAINTENANCE",
        'Maintenance is on, and nothing is imported meanwhile: end it with "breachbell maintenance off", then run this again',
      );
    const file = resolve(from, typed);
    if (!existsSync(file) || !statSync(file).isFile()) return failed("NO_SUCH_FILE", `Cannot find the file "${file}"`);
    const request = requestOf(file, given);
    const directory = join(config.dataDir, IMPORTS);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    rmSync(progressPath(directory, request.id), { force: true });
    await writeWhole(requestPath(directory, request.id), request);
    office.tell(`Importing ${file} …`);
    await audit("dataset_imported", { kind: "installation", id: "dataset" }, { file: basename(file) });
    return answerOf(file, await follow(office, directory, request));
  },
});
