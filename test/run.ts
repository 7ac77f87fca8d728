// The one gate: format, lint, types, and every test. Ends with "N passed, N failed".
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sharedPostgresUrl } from "./support/postgres_server.ts";
import { ensureTools } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "..");
const only = process.argv.slice(2);
let [passed, failed] = [0, 0];

const bin = (name: string) => join(ROOT, "node_modules/.bin", name);

function check(title: string, command: string[]): void {
  const started = performance.now();
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${exitCode === 0 ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (exitCode === 0) passed += 1;
  else {
    failed += 1;
    console.log(`${stdout}${stderr}`);
  }
}

const APART = ["test/web", "test/e2e", "test/faults", "test/support", "test/bench"];
const others = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() || entry.name.endsWith("_test.ts"))
  .map(({ name }) => `test/${name}`)
  .filter((path) => !APART.includes(path));

/** Every other file of a folder, from the first or the second on. */
function half(folder: string, from: 0 | 1): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith("_test.ts"));
  return files.toSorted().flatMap((name, index) => (index % 2 === from ? `${folder}/${name}` : []));
}

/** Browsers and processes that are killed are waited for more than they work: some parts run beside each other. */
const AT_ONCE = 3;
/** More failures than these are no matter of the machine's load. */
const MOST_AGAIN = 10;
const PARTS = [
  others,
  half("test/web", 0),
  half("test/web", 1),
  ["test/faults"],
  half("test/e2e", 0),
  half("test/e2e", 1),
];

type Environment = Record<string, string | undefined>;

/** What failed, by the file it stands in: Bun names a file, then its tests, and in the end all failures once more. */
function failuresIn(said: string): Map<string, string[]> {
  const failures = new Map<string, string[]>();
  let file: string | undefined;
  for (const line of said.split("\n")) {
    if (/^\d+ tests failed:$/.test(line)) break;
    file = line.match(/^(test\/\S+_test\.tsx?):$/)?.[1] ?? file;
    const title = line.match(/^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/)?.[1];
    if (file && title) failures.set(file, [...(failures.get(file) ?? []), title]);
  }
  return failures;
}

type Ran = { passed: number; failed: number; failures: Map<string, string[]> };

/** Runs `bun test`, reading the totals from its output, which is passed on at once or, where others speak, at the end. */
async function runTests(paths: string[], { env, aside = false }: { env: Environment; aside?: boolean }): Promise<Ran> {
  const tests = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...paths], {
    cwd: ROOT,
    env,
    stdout: aside ? "pipe" : "inherit",
    stderr: "pipe",
  });
  const spoken = aside ? new Response(tests.stdout).text() : undefined;
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of tests.stderr) {
    if (!aside) process.stderr.write(chunk);
    said += decoder.decode(chunk, { stream: true });
  }
  const exitCode = await tests.exited;
  if (spoken) process.stdout.write(await spoken);
  if (aside) process.stderr.write(said);
  const tail = said.slice(-4000);
  const count = (word: string) => Number(tail.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const broken = Math.max(count("fail") + count("error") + count("errors"), exitCode === 0 ? 0 : 1);
  return {
    passed: count("pass"),
    failed: count("pass") === 0 ? broken + 1 : broken,
    failures: failuresIn(said),
  };
}

await ensureTools();
if (only.length === 0) {
  check("Biome: format and lint", [bin("biome"), "ci", "."]);
  for (const room of ["src", "web", "test"]) check(`TypeScript: ${room}`, [bin("tsc"), "-p", room]);
}
const env = { ...process.env, TEST_DATABASE_URL: await sharedPostgresUrl() };
const all: Ran[] = [];
if (only.length > 0) all.push(await runTests(only, { env }));
else {
  const waiting = PARTS.map((paths, index) => ({ paths, aside: index > 0 }));
  const lane = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift())
      all.push(await runTests(part.paths, { env, aside: part.aside }));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
passed += all.reduce((sum, ran) => sum + ran.passed, 0);
failed += all.reduce((sum, ran) => sum + ran.failed, 0);

// What failed beside the others runs once more, alone: a test that needs an idle machine is named, not counted as broken.
const failures = new Map(all.flatMap((ran) => [...ran.failures]));
const again = [...failures.values()].flat().length;
if (only.length === 0 && again > 0 && again <= MOST_AGAIN) {
  const restless: string[] = [];
  for (const [path, titles] of failures) {
    console.log(`\nOnce more, alone: ${path}`);
    const { failed: stillFailed } = await runTests([path], { env });
    if (stillFailed > 0) continue;
    passed += titles.length;
    failed -= titles.length;
    restless.push(...titles.map((title) => `${path}: ${title}`));
  }
  if (restless.length > 0)
    console.log(`\nFailed beside the others and passed alone, to be mended:\n  ${restless.join("\n  ")}`);
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
