// The nightly parts (`tiers.ts`), one after another. Ends with "N passed, N failed".
//   bun run test:nightly                       all of them
//   bun run test:nightly --only journeys,walk  some of them
//   bun run test:nightly --resume              those that have not passed on this commit yet
//   bun run test:nightly --list                their names and reasons
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { sharedPostgresUrl } from "./support/postgres_server.ts";
import { buildForTests, endWith, type Ran, ROOT, runCommand, runTests, sumOf } from "./support/runner.ts";
import { ensureNightlyTools, ensureTools } from "./support/tools.ts";
import { BY_HAND, NIGHTLY, type Part, testsOf } from "./tiers.ts";

type State = { commit: string; parts: Record<string, Ran> };
const STATE = join(ROOT, "node_modules/.cache/breachbell/nightly.json");

function git(...words: string[]): string {
  return Bun.spawnSync(["git", ...words], { cwd: ROOT })
    .stdout.toString()
    .trim();
}

/** The results for this very commit; none count if there are uncommitted changes. */
function stateOf(commit: string): State {
  const known = existsSync(STATE) ? (JSON.parse(readFileSync(STATE, "utf8")) as State) : undefined;
  return known?.commit === commit ? known : { commit, parts: {} };
}

function keep(state: State): void {
  mkdirSync(dirname(STATE), { recursive: true });
  writeFileSync(STATE, JSON.stringify(state, null, 2));
}

function describePart({ name, reason, foundHereOnly }: Part): string {
  return `  ${name}: ${reason}${foundHereOnly ? `\n    found here only: ${foundHereOnly}` : ""}`;
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    resume: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
if (values.list) {
  console.log(`nightly\n${NIGHTLY.map(describePart).join("\n")}\nby hand\n${BY_HAND.map(describePart).join("\n")}`);
  process.exit();
}
const wanted = values.only?.split(",");
const unknown = wanted?.filter((name) => !NIGHTLY.some((part) => part.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join(", ")}"; there are: ${NIGHTLY.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

await ensureTools();
ensureNightlyTools();
const state = stateOf(git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : "changed");
const chosen = NIGHTLY.filter(
  ({ name }) => (wanted?.includes(name) ?? true) && !(values.resume && state.parts[name]?.failed === 0),
);
const built = await buildForTests();
const shared = { ...process.env, ...built.env, TEST_TIER: "nightly", TEST_DATABASE_URL: await sharedPostgresUrl() };
for (const part of chosen) {
  console.log(`\n== ${part.name}: ${part.reason}`);
  const env = { ...shared, ...part.env };
  const ran = part.script
    ? await runCommand(part.name, [process.execPath, "run", ...part.script], env)
    : await runTests(testsOf(part), env);
  state.parts[part.name] = ran;
  // After each, so that a forced end loses at most one part.
  keep(state);
  console.log(
    `== ${part.name}: ${ran.passed} passed, ${ran.failed} failed, ${ran.seconds.toFixed(0)} s, ${ran.cpuSeconds.toFixed(0)} s of processor time`,
  );
}
endWith(sumOf([...built.ran, ...chosen.flatMap(({ name }) => state.parts[name] ?? [])]));
