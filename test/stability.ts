// Runs the gate several times in a row, some of them with a busy loop on each processor, and reports: a gate must not
// depend on luck or speed. `bun run test:stability [<gates> [<busy ones>]]`, five and two by default.
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ROOT } from "./support/runner.ts";

const [gates = 5, busy = 2] = process.argv.slice(2).map(Number);
const LOGS = join(ROOT, "node_modules/.cache/breachbell/stability");
mkdirSync(LOGS, { recursive: true });

let red = 0;
for (let run = 1; run <= gates; run++) {
  const isBusy = run > gates - busy;
  const loops = Array.from({ length: isBusy ? availableParallelism() : 0 }, () =>
    Bun.spawn([process.execPath, "-e", "for (;;);"]),
  );
  const started = performance.now();
  const gate = Bun.spawn([process.execPath, "run", "test"], { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
  const said = await Promise.all([new Response(gate.stdout).text(), new Response(gate.stderr).text()]);
  const exitCode = await gate.exited;
  for (const loop of loops) loop.kill();
  const log = join(LOGS, `${run}.log`);
  await Bun.write(log, said.join("\n"));
  const last = said[0].trimEnd().split("\n").at(-1);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`gate ${run} of ${gates}${isBusy ? ", beside busy loops" : ""}: ${last} in ${seconds} s (${log})`);
  for (const line of said[1].split("\n")) if (line.startsWith("(fail)")) console.log(`  ${line}`);
  if (exitCode !== 0) red += 1;
}
console.log(`\n${gates - red} passed, ${red} failed`);
process.exit(red === 0 ? 0 : 1);
