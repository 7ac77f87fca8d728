// The gate: format, lint, types, and every test that `tiers.ts` assigns to it. Ends with "N passed, N failed".
//   bun run test                 all of it
//   bun run test test/tracking   these tests alone
import { sharedPostgresUrl } from "./support/postgres_server.ts";
import {
  buildForTests,
  endWith,
  LINT,
  type Ran,
  runCommand,
  runTests,
  sumOf,
  typecheck,
  WORKERS,
} from "./support/runner.ts";
import { ensureTools } from "./support/tools.ts";
import { GATE_IN_BROWSER, GATE_WITHOUT } from "./tiers.ts";

/** The number of browser workers: with only one, the browser tests would end long after all others. */
const IN_BROWSER = 2;

/** Sequential, in parallel to the builds and the tests: together they keep all processors busy to the end. */
async function checks(): Promise<Ran[]> {
  const ran = [await runCommand("Biome: format and lint", LINT)];
  for (const room of ["src", "test"] as const) ran.push(await runCommand(`TypeScript: ${room}`, typecheck(room)));
  return ran;
}

await ensureTools();
const only = process.argv.slice(2);
const checking = only.length === 0 ? checks() : Promise.resolve([]);
const built = await buildForTests();
const env = { ...process.env, ...built.env, TEST_DATABASE_URL: await sharedPostgresUrl() };
const lots =
  only.length > 0
    ? [runTests(only, env)]
    : [runTests(GATE_IN_BROWSER, env, IN_BROWSER), runTests(GATE_WITHOUT, env, WORKERS)];
const ran = await Promise.all(lots);
for (const { seconds, cpuSeconds } of ran)
  console.log(`Tests: ${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of processor time`);
endWith(sumOf([...built.ran, ...(await checking), ...ran]));
