// The fault set: each goal with its figure as one line of JSON, and a summary as the last line. Exit code 0: all goals
// are met; 1: one is not; 2: invalid arguments.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sharedPostgresUrl } from "../support/postgres_server.ts";
import type { Finding } from "./bench.ts";
import { PARTS, type Part } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");
const GOALS = [...new Set(PARTS.flatMap(({ goals }) => goals))];
const HELP = `bun run faults [--short] [--only R4,R17] [--seed 1]

Ends processes, restarts databases, sets clocks wrong, fills disks, and counts what was lost, doubled or late.
Each line: {"goal", "what", "figure", "bound", "pass"}; the last one sums up. All of it takes most of an hour on two
processors, --short a few minutes. R16 needs faketime, R37 root. Goals: ${GOALS.join(", ")}`;

type Options = { short: boolean; seed: string };

/** The JSON lines of a process, as it prints them; all its other output goes to standard error. */
async function findingsOf(command: string[], env: Record<string, string>): Promise<{ told: Finding[]; code: number }> {
  const running = Bun.spawn(command, { cwd: ROOT, env: { ...process.env, ...env }, stdout: "pipe", stderr: "inherit" });
  const told: Finding[] = [];
  const take = (line: string) => {
    if (!line.startsWith('{"goal":')) return line !== "" && console.error(line);
    told.push(JSON.parse(line));
    console.log(line);
  };
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of running.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
  take(rest);
  return { told, code: await running.exited };
}

function tell(finding: Finding): Finding {
  console.log(JSON.stringify(finding));
  return finding;
}

async function runScript(part: Extract<Part, { script: string }>, { short, seed }: Options): Promise<Finding[]> {
  const command = [process.execPath, join("test/faults", part.script)];
  const { told, code } = await findingsOf(command, { ...(short ? part.short : part.long), SEED: seed });
  // A part that aborts has met no goal.
  const brokeOff = told.length === 0 || (code !== 0 && told.every(({ pass }) => pass));
  if (!brokeOff) return told;
  const [goal = ""] = part.goals;
  return [...told, tell({ goal, what: `${part.script} broke off; exit code`, figure: code, bound: 0, pass: false })];
}

async function runTests({ goals, what, tests, long }: Extract<Part, { tests: string[] }>, { short }: Options) {
  const env = {
    ...process.env,
    ...(short ? {} : long),
    TEST_TIER: "nightly",
    TEST_DATABASE_URL: await sharedPostgresUrl(),
  };
  const paths = tests.map((path) => join("test", path));
  const running = Bun.spawn([process.execPath, "test", "--timeout", "3600000", ...paths], {
    cwd: ROOT,
    env,
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(running.stderr).text();
  const code = await running.exited;
  const count = (word: string) => Number(said.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const [passed, failed] = [count("pass"), Math.max(count("fail") + count("error") + count("errors"), code)];
  const pass = passed > 0 && failed === 0;
  if (!pass) console.error(said);
  const [goal = ""] = goals;
  return [tell({ goal, what: `${what}: failed tests beside ${passed} passed`, figure: failed, bound: 0, pass })];
}

function options(): Options & { parts: Part[] } {
  const flags = { short: { type: "boolean" }, only: { type: "string" }, seed: { type: "string" } } as const;
  const { values } = parseArgs({ options: { ...flags, help: { type: "boolean" } } });
  if (values.help) {
    console.log(HELP);
    process.exit();
  }
  const only = values.only?.toUpperCase().split(",") ?? GOALS;
  const unknown = only.filter((goal) => !GOALS.includes(goal));
  if (unknown.length > 0) throw new Error(`There is no goal ${unknown.join(", ")}`);
  const { seed = "1", short = false } = values;
  if (!/^\d{1,9}$/.test(seed)) throw new Error("--seed has to be a number");
  return { seed, short, parts: PARTS.filter(({ goals }) => goals.some((goal) => only.includes(goal))) };
}

/** The requested parts; exits with 2 if the arguments are invalid. */
function asked(): Options & { parts: Part[] } {
  try {
    return options();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(2);
  }
}

const { parts, ...how } = asked();
const from = performance.now();
const findings: Finding[] = [];
/** One part after another. */
async function work(waiting: Part[]): Promise<void> {
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    const began = performance.now();
    findings.push(...(await ("script" in part ? runScript(part, how) : runTests(part, how))));
    const name = "script" in part ? part.script : part.tests.join(" ");
    console.error(`${part.goals.join(" ")} ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  }
}
// They mostly wait for leases; tests share a database, one after the other.
const scripts = parts.filter((part) => "script" in part);
const tests = parts.filter((part) => "tests" in part);
await Promise.all([work(scripts), work(scripts), work(tests)]);
const failed = findings.filter(({ pass }) => !pass).length;
const seconds = Math.round((performance.now() - from) / 1000);
console.log(JSON.stringify({ findings: findings.length, failed, seconds, seed: how.seed, pass: failed === 0 }));
process.exit(failed === 0 ? 0 : 1);
