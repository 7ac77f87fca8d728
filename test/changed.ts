// The tests affected by a change, in under a minute: `bun run test:changed [<commit>]`, compared with HEAD or that
// commit.
// For each changed file: itself if it is a test, tests that import it, and the tests of its folder; and type checks of
// the affected projects.
import { join } from "node:path";
import { importsOf, readTree } from "./architecture/imports.ts";
import { sharedPostgresUrl } from "./support/postgres_server.ts";
import { endWith, LINT, ROOT, runCommand, runTests, sumOf, typecheck } from "./support/runner.ts";
import { GATE } from "./tiers.ts";

/** Test folders whose name differs from what they test. */
const TESTED_BY: Record<string, string[]> = {
  support: ["tickets"],
  invitations: ["invitations", "consent"],
  locales: ["locales", "notifications/every_message_test.ts"],
  migrations: ["architecture", "database/migration_test.ts"],
};
/** They check every file, and are fast. */
const ALWAYS = ["architecture", "locales_test.ts", "locales_use_test.ts", "readme_test.ts", "config_test.ts"];
/** They open browsers, products or images: left to the gate. */
const SLOW = /^test\/(e2e|container|web\/every_(?:public_)?page_test)/;

function git(...words: string[]): string[] {
  return Bun.spawnSync(["git", ...words], { cwd: ROOT })
    .stdout.toString()
    .split("\n")
    .filter(Boolean);
}

const [since = "HEAD"] = process.argv.slice(2);
const changed = [...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")];

const tests = readTree(ROOT, ["test"]);
function importing(path: string): string[] {
  return GATE.filter((file) => importsOf(file, tests.get(file) ?? "").some(({ target }) => target === path));
}

function testsFor(path: string): string[] {
  const [top = "", room = ""] = path.split("/");
  if (top === "test") return [path, ...importing(path)];
  const folders = top === "src" ? (TESTED_BY[room] ?? [room]) : (TESTED_BY[top] ?? [top]);
  return [...GATE.filter((file) => folders.some((folder) => file.startsWith(`test/${folder}`))), ...importing(path)];
}

const chosen = new Set(changed.flatMap(testsFor));
for (const name of ALWAYS) for (const file of GATE) if (file.startsWith(`test/${name}`)) chosen.add(file);
const files = GATE.filter((path) => chosen.has(path) && !SLOW.test(path));

const isCode = (path: string) => /^(src|web|test)\/.*\.tsx?$/.test(path);
const rooms = (["src", "test"] as const).filter((room) =>
  changed.some((path) => isCode(path) && (room === "test" || path.startsWith("src/"))),
);
console.log(`${changed.length} changed files, ${files.length} files of tests`);
const checking = Promise.all([
  runCommand("Biome: format and lint", LINT),
  ...rooms.map((room) => runCommand(`TypeScript: ${room}`, typecheck(room))),
]);
const env = { ...process.env, TEST_DATABASE_URL: await sharedPostgresUrl() };
const ran = await runTests(
  files.map((path) => join(".", path)),
  env,
);
endWith(sumOf([...(await checking), ran]));
