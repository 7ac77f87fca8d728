import { join } from "node:path";
import { atMost, type Finding } from "../faults/bench.ts";
import type { Attack, Goal, Size } from "./goal.ts";
import { openTarget, type Target } from "./target.ts";

/** The result of a goal, or which part of it is not shown by anything. */
export type ReportLine = Finding | { goal: string; what: string; pass: "n.a." };
type Tell = (line: ReportLine) => void;
type Job = { goal: string; attack: Attack };
type Ground = { target: Target; size: Size; tell: Tell };
type Work = { goal: string; work: () => Promise<Finding[]> };

const AT_ONCE = 3;
const ROOT = join(import.meta.dirname, "../..");
/** Checks on everything that the others have left behind. */
const LAST = ["S10", "S8"];

async function carryOut({ goal, work }: Work, tell: Tell): Promise<void> {
  try {
    for (const finding of await work()) tell(finding);
  } catch (error) {
    console.error(error);
    tell(
      atMost(goal, `attacks that did not come to their end: ${error instanceof Error ? error.message : error}`, 1, 0),
    );
  }
}

/** A few in parallel: they mostly wait for mails. */
async function carryOutAll(jobs: Job[], { target, size, tell }: Ground, atOnce: number): Promise<void> {
  const queue = jobs.map(({ goal, attack }) => ({ goal, work: () => attack(target, size) }));
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await carryOut(next, tell);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function runTests({ goal, tests = [], long = {} }: Goal, { seed }: Size): Promise<Finding[]> {
  if (tests.length === 0) return [];
  const paths = tests.map((path) => `test/${path}`);
  const running = Bun.spawn([process.execPath, "test", "--only-failures", "--timeout", "60000", ...paths], {
    cwd: ROOT,
    stdout: "ignore",
    stderr: "pipe",
    env: { ...process.env, ...long, HISTORIES_SEED: String(seed) },
  });
  const said = await new Response(running.stderr).text();
  const isBroken = (await running.exited) !== 0;
  if (isBroken) console.error(said);
  const sizes = Object.entries(long).map(([name, value]) => `, ${name}=${value}`);
  return [atMost(goal, `runs with failures of ${tests.join(", ")}${sizes.join("")}`, Number(isBroken), 0)];
}

/**
 * The attacks, then – in the long form – those that need a browser, minutes or the gate's tests; and what is not shown.
 */
export async function attackAll(goals: Goal[], size: Size, tell: Tell): Promise<void> {
  const jobs = goals.flatMap(({ goal, attack, alone }) => (attack ? [{ goal, attack, alone }] : []));
  const isLast = ({ goal }: Job) => LAST.includes(goal);
  if (jobs.length > 0) {
    const target = await openTarget();
    try {
      const ground = { target, size, tell };
      await carryOutAll(
        jobs.filter((one) => one.alone && !isLast(one)),
        ground,
        1,
      );
      await carryOutAll(
        jobs.filter(({ alone }) => !alone),
        ground,
        AT_ONCE,
      );
      await carryOutAll(jobs.filter(isLast), ground, 1);
    } finally {
      await target.close();
    }
  }
  if (!size.long) return;
  for (const goal of goals) {
    const { longAttack } = goal;
    if (longAttack) await carryOut({ goal: goal.goal, work: longAttack }, tell);
    await carryOut({ goal: goal.goal, work: () => runTests(goal, size) }, tell);
  }
  for (const { goal, missing } of goals) if (missing) tell({ goal, what: `not shown: ${missing}`, pass: "n.a." });
}
