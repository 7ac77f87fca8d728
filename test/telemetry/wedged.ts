// A separate process that blocks: `bun wedged.ts <loop | work | failing | stopping | unread> <seconds>`.
import { runJobs } from "../../src/runtime/jobs.ts";
import { startWatchdog } from "../../src/telemetry/watchdog.ts";

const [, , how = "", seconds = "1"] = process.argv;
const watchdog = startWatchdog(Number(seconds), { tickMs: 100, onTrouble: (reason) => console.log(reason) });
const run = {
  // A database that never responds, and a caller without a deadline.
  work: () => new Promise(() => {}),
  failing: () => Promise.reject(new Error("the database is gone")),
}[how];
runJobs([{ name: "one", everyMs: 1000, run: run ?? (async () => {}) }], () => {}, {
  onEnd: () => watchdog.progressed(),
});
console.log("ready");
if (how === "stopping") watchdog.workIsOver();
// Blocks once the pipe is full.
if (how === "unread") for (let i = 0; i < 1000; i++) console.log("x".repeat(999));
if (how === "loop") {
  await Bun.sleep(200);
  for (;;);
}
