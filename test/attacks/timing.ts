import { join } from "node:path";
import { atMost, type Finding } from "../faults/bench.ts";

const SCRIPT = join(import.meta.dirname, "../bench/sign_in_timing.ts");

/**
 * S7: how well response times distinguish known from unknown accounts: the distance from chance in the best of three
 * runs.
 */
export async function signInTimes(): Promise<Finding[]> {
  const running = Bun.spawn([process.execPath, SCRIPT], { stdout: "pipe", stderr: "inherit" });
  const said = await new Response(running.stdout).text();
  await running.exited;
  const lines = said.split("\n").filter((line) => line.startsWith("{"));
  const measured = lines.map((line) => JSON.parse(line) as { line: string; auc: number });
  if (measured.length < 2) return [atMost("S7", "times that could not be measured", 2 - measured.length, 0)];
  return measured.map(({ line, auc }) =>
    atMost("S7", `${line}: area under the curve, off 0.5`, Math.abs(auc - 0.5), 0.05),
  );
}
