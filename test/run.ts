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
const PARTS = [
  others,
  half("test/web", 0),
  half("test/web", 1),
  ["test/faults"],
  half("test/e2e", 0),
  half("test/e2e", 1),
];

type Environment = Record<string, string | undefined>;

/** Runs `bun test`, reading the totals from its output, which is passed on at once or, where others speak, at the end. */
async function runTests(paths: string[], { env, aside = false }: { env: Environment; aside?: boolean }): Promise<void> {
  const tests = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...paths], {
    cwd: ROOT,
    env,
    stdout: aside ? "pipe" : "inherit",
    stderr: "pipe",
  });
  const said = aside ? new Response(tests.stdout).text() : undefined;
  const kept: Uint8Array[] = [];
  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of tests.stderr) {
    if (aside) kept.push(chunk);
    else process.stderr.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4000);
  }
  const exitCode = await tests.exited;
  if (said) process.stdout.write(await said);
  for (const chunk of kept) process.stderr.write(chunk);
  const count = (word: string) => Number(tail.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  passed += count("pass");
  failed += Math.max(count("fail") + count("error") + count("errors"), exitCode === 0 ? 0 : 1);
  if (count("pass") === 0) failed += 1;
}

await ensureTools();
if (only.length === 0) {
  check("Biome: format and lint", [bin("biome"), "ci", "."]);
  for (const room of ["src", "web", "test"]) check(`TypeScript: ${room}`, [bin("tsc"), "-p", room]);
}
const env = { ...process.env, TEST_DATABASE_URL: await sharedPostgresUrl() };
if (only.length > 0) await runTests(only, { env });
else {
  const waiting = PARTS.map((paths, index) => ({ paths, aside: index > 0 }));
  const lane = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift())
      await runTests(part.paths, { env, aside: part.aside });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
