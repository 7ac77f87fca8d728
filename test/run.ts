// The one gate: format, lint, types, and every test. Ends with "N passed, N failed".
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

/** Runs `bun test`, passing its output on while reading the totals from it. */
async function runTests(paths: string[], env: Record<string, string | undefined>): Promise<void> {
  const tests = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...paths], {
    cwd: ROOT,
    env,
    stdout: "inherit",
    stderr: "pipe",
  });
  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4000);
  }
  const exitCode = await tests.exited;
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
await runTests(only, { ...process.env, TEST_DATABASE_URL: await sharedPostgresUrl() });

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
