import { join } from "node:path";

export type Watchdog = {
  /** Some work came to its end, well or not. */
  progressed(): void;
  /** No work is expected any more; the event loop still is. */
  workIsOver(): void;
  stop(): void;
};

/** Places in the memory that both threads see. */
const [LOOP, WORK] = [0, 1];
const BEAT_MS = 250;
const TICK_MS = 1000;

/**
 * Ends this process for good when its event loop or all its work stands still for so long, so that whoever supervises
 * it starts another. A thread of its own watches, as a loop that hangs cannot. A database that fails is no reason: work
 * that fails comes to its end, and another process would do no better. 0 seconds: nobody watches.
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
