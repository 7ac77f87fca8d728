// The security goals S1 to S54 as attacks on the running product: two processes on one Postgres, with a mail server.
//   bun run attacks                       the whole figures; about three quarters of an hour on two cores
//   bun run attacks --short               a few minutes
//   bun run attacks --only S4 --only S37  some goals; --seed 7 for other random requests
import { parseArgs } from "node:util";
import { ensureTools } from "../support/tools.ts";
import { attackAll, type ReportLine } from "./attack_all.ts";
import { GOALS } from "./goals.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    short: { type: "boolean", default: false },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
  },
});
const unknown = values.only.filter((name) => !GOALS.some(({ goal }) => goal === name));
if (unknown.length > 0) {
  console.error(`There is no goal ${unknown.join(", ")}; there are ${GOALS.map(({ goal }) => goal).join(" ")}`);
  process.exit(2);
}

await ensureTools();
const goals = values.only.length === 0 ? GOALS : GOALS.filter(({ goal }) => values.only.includes(goal));
const told = (line: ReportLine) => {
  console.log(JSON.stringify(line));
  if (line.pass === false) process.exitCode = 1;
};
await attackAll(goals, { long: !values.short, seed: Number(values.seed) }, told);
process.exit();
