import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { runCli } from "../../src/cli/run.ts";
import { display } from "../../src/cli/terminal.ts";
import { bench, closeAll, dataDir, SECRET } from "./doctor_bench.ts";
import { typed } from "./office.ts";

afterEach(closeAll);

// Monitoring reads this document: a field may be added here, but none may change or go.
const FINDING = { area: "string", state: "string", says: "string", mend: "string or null" };
const COUNTS = { ok: "number", warn: "number", fail: "number" };
const DATA = { findings: [FINDING], ...COUNTS };
const ERROR = { code: "string", message: "string" };

/** The keys of a document with the types of their values; of a list, the one shape of all its items. */
function shapeOf(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const shapes = value.map((each) => shapeOf(each));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    return shapes.slice(0, 1);
  }
  if (key === "mend" && (value === null || typeof value === "string")) return "string or null";
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each, name)]));
}

const terminalInto = (written: string[]) => {
  const write = (text: string) => void written.push(text);
  return { out: write, error: write, columns: undefined, colours: false, isLive: false };
};

type Document = { data: { findings: { area: string; state: string }[]; ok: number; warn: number; fail: number } };

/** What `doctor --json` prints in this context. */
async function printed(words: string[], room: ReturnType<typeof bench>) {
  const written: string[] = [];
  const answer = await typed(["doctor", ...words], room);
  display(terminalInto(written), { json: true, yes: false, quiet: false }).end("doctor", answer);
  return { code: answer.code, document: JSON.parse(written.join("")) as Document };
}

/** The same from its arguments on, where the command may not even begin. */
async function fromArguments(environment: Record<string, string>, ...words: string[]) {
  const written: string[] = [];
  const code = await runCli({
    typed: ["doctor", "--json", ...words],
    environment,
    directory: "/",
    ask: undefined,
    signal: new AbortController().signal,
    readFile: () => "",
    terminal: terminalInto(written),
  });
  return { code, document: JSON.parse(written.join("")) as unknown };
}

describe("doctor --json", () => {
  test("prints its findings and their numbers, and an error only if there is something to fix", async () => {
    const fine = await printed(["--only", "secret"], bench());
    expect([fine.code, shapeOf(fine.document)]).toEqual([0, { ok: "boolean", command: "string", data: DATA }]);
    expect(fine.document).toMatchObject({ ok: true, command: "doctor", data: { ok: 1, warn: 0, fail: 0 } });
    const weak = await printed(["--only", "secret"], bench({ APP_SECRET: "abc".repeat(15) }));
    expect([weak.code, shapeOf(weak.document)]).toEqual([
      1,
      { ok: "boolean", command: "string", data: DATA, error: ERROR },
    ]);
    expect(weak.document).toMatchObject({ ok: false, data: { ok: 0, warn: 0, fail: 1 }, error: { code: "MEND" } });
  });

  test("has no other states and areas than the documented ones, and counts each finding once", async () => {
    const smtp = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "a@example.org", BREACH_SOURCE: "bundled" };
    const { document } = await printed([], bench({ ...smtp, BILLING: "off" }));
    const { findings, ...counts } = document.data;
    const known = COMMANDS.find(({ name }) => name === "doctor")?.options?.only;
    const areas = known && "choices" in known ? (known.choices ?? []) : [];
    for (const { area, state } of findings) {
      expect(areas).toContain(area);
      expect(["ok", "warn", "fail"]).toContain(state);
    }
    const inState = (state: string) => findings.filter((one) => one.state === state).length;
    expect(counts).toEqual({ ok: inState("ok"), warn: inState("warn"), fail: inState("fail") });
    const docs = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");
    const row = docs.split("\n").find((line) => line.startsWith("| `area` |")) ?? "";
    const documented = [...row.matchAll(/`([a-z]+)`/g)].map(([, word]) => word).slice(1);
    expect(documented).toEqual([...areas]);
  });

  test("is in the documentation as it is", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");
    const [, sample = ""] = /```json\n([\s\S]+?)```/.exec(docs) ?? [];
    expect(shapeOf(JSON.parse(sample))).toEqual({ ok: "boolean", command: "string", data: DATA, error: ERROR });
  });

  test("says in the same form why nothing could be checked", async () => {
    const wrong = await fromArguments({ PORT: "none" });
    expect([wrong.code, shapeOf(wrong.document)]).toEqual([
      1,
      { ok: "boolean", command: "string", data: { problems: ["string"] }, error: ERROR },
    ]);
    expect(wrong.document).toMatchObject({ ok: false, error: { code: "CONFIGURATION" } });
    const away = { DATABASE_URL: "postgres://u:p@127.0.0.1:1/x", DATA_DIR: dataDir, APP_SECRET: SECRET };
    const unreached = await fromArguments(away, "--only", "database");
    expect(unreached).toMatchObject({ code: 1, document: { error: { code: "MEND" }, data: { fail: 1 } } });
  });
});
