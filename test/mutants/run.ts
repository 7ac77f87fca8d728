// Q3: forty mutations of the important rules, one at a time in a copy of the tree; the tests named for each must fail.
//   bun run mutants                        all of them
//   bun run mutants lease "never expires"  those whose name has one of these words in it
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedPostgresUrl } from "../support/postgres_server.ts";
import { ensureTools } from "../support/tools.ts";
import { type Mutant, placesOf, ROOT } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

/** Of forty. */
const SURVIVORS_MAX = 2;
/** A mutant that makes a test hang is detected as well. */
const LONGEST_MS = 300_000;

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const stale = chosen.filter((mutant) => placesOf(mutant) !== 1);
if (stale.length > 0 || chosen.length === 0) {
  for (const { name, file } of stale) console.error(`"${name}" is stale: its text does not stand once in ${file}`);
  if (chosen.length === 0) console.error("No mutant has these words in its name");
  process.exit(2);
}

await ensureTools();
const copy = mkdtempSync(join(tmpdir(), "breachbell-mutants-"));
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const path of ["src", "test", "web", "locales", "migrations", "package.json", "bunfig.toml", "README.md", "docs"])
  cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter: (from) => !from.endsWith("web/dist") });
symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
const env = { ...process.env, TEST_TIER: "nightly", TEST_DATABASE_URL: await sharedPostgresUrl() };

/** The result of `bun test` on the copy: also red if it does not end. */
async function testsFail(tests: string[]): Promise<boolean> {
  const running = Bun.spawn(
    [process.execPath, "test", "--bail", "--timeout", "60000", ...tests.map((path) => `test/${path}`)],
    {
      cwd: copy,
      env,
      stdout: "ignore",
      stderr: "ignore",
      timeout: LONGEST_MS,
      killSignal: "SIGKILL",
    },
  );
  return (await running.exited) !== 0;
}

async function isKilled({ file, find, replace, tests }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    return await testsFail(tests);
  } finally {
    writeFileSync(path, text);
  }
}

// Tests that fail without a mutant would make every mutant look killed.
const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
if (await testsFail(all)) {
  console.error(`These tests fail without a mutant: ${all.join(" ")}`);
  process.exit(2);
}
let killed = 0;
for (const mutant of chosen) {
  const started = performance.now();
  const pass = await isKilled(mutant);
  if (pass) killed += 1;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(JSON.stringify({ mutant: mutant.name, file: mutant.file, killed: pass, seconds }));
}
const bound = chosen.length - (chosen.length === MUTANTS.length ? SURVIVORS_MAX : 0);
console.log(
  JSON.stringify({
    goal: "Q3",
    what: `mutants killed of ${chosen.length}`,
    figure: killed,
    bound,
    pass: killed >= bound,
  }),
);
process.exit(killed >= bound ? 0 : 1);
