// The thread of the watchdog, as plain JavaScript so that it is found beside a bundled server too. It counts its own
// ticks, so that a machine that slept does not look like one that hangs.
import { write } from "node:fs";

/** A reader of the log that stands still must not keep the process alive. */
const LINE_WITHIN_MS = 250;
const REASONS = ["The event loop stood still", "No job came to an end"];

self.onmessage = ({ data: { memory, seconds, tickMs } }) => {
  const beats = new Int32Array(memory);
  const seen = REASONS.map(() => ({ beat: -1, still: 0 }));
  const ticks = setInterval(() => {
    for (const [place, state] of seen.entries()) {
      const beat = Atomics.load(beats, place);
      state.still = beat === state.beat ? state.still + 1 : 0;
      state.beat = beat;
      if (state.still * tickMs < seconds * 1000) continue;
      // Work stands still as well where the loop does: then that is the reason, a tick later.
      if (state !== seen[0] && seen[0].still > 0) continue;
      const message = `${REASONS[place]} for ${seconds} s: ending this process`;
      clearInterval(ticks);
      // Neither handlers nor promises of the other thread run any more.
      const kill = () => process.kill(process.pid, "SIGKILL");
      setTimeout(kill, LINE_WITHIN_MS);
      write(1, `${JSON.stringify({ time: new Date().toISOString(), level: "error", message })}\n`, kill);
      return;
    }
  }, tickMs);
};
