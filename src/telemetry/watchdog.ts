import { join } from "node:path";

export type Watchdog = {
  /** Some work has finished, successfully or not. */
  progressed(): void;
  /** No more work is expected, but the event loop must still run. */
  workIsOver(): void;
  stop(): void;
};

/** Indexes into the memory that both threads share. */
const [LOOP, WORK] = [0, 1];
const BEAT_MS = 250;
const TICK_MS = 1000;

/**
 * Exits the process when its event loop or all its work makes no progress for this long, so that the supervisor restarts it.
 * Runs in its own thread, as a blocked loop cannot check itself. A failing database does not count: failing work finishes too,
 * and a restart would not help. 0 seconds: off.
 */
export function startWatchdog(
  seconds: number,
  { tickMs = TICK_MS, onTrouble }: { tickMs?: number; onTrouble: (reason: string) => void },
): Watchdog {
  if (seconds === 0) return { progressed() {}, workIsOver() {}, stop() {} };
  const memory = new SharedArrayBuffer(8);
  const beats = new Int32Array(memory);
  const worker = new Worker(join(import.meta.dirname, "watchdog_worker.js"));
  worker.onerror = ({ message }) => onTrouble(message);
  worker.postMessage({ memory, seconds, tickMs });
  let isOver = false;
  const timer = setInterval(() => {
    Atomics.add(beats, LOOP, 1);
    if (isOver) Atomics.add(beats, WORK, 1);
  }, BEAT_MS);
  timer.unref();
  return {
    progressed: () => void Atomics.add(beats, WORK, 1),
    workIsOver() {
      isOver = true;
    },
    stop() {
      clearInterval(timer);
      worker.terminate();
    },
  };
}
