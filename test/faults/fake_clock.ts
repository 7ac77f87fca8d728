import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIBRARY = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
  .map((folder) => join(folder, "faketime/libfaketime.so.1"))
  .find(existsSync);

export const hasFaketime = LIBRARY !== undefined;

/** A wall clock for processes started with `env`, which `set` changes while they run. Requires Debian's `faketime`. */
export function fakeClock() {
  if (LIBRARY === undefined) throw new Error('Cannot find "faketime": apt-get install faketime');
  const folder = mkdtempSync(join(tmpdir(), "bb-clock-"));
  const file = join(folder, "offset");
  const set = (offset: string) => writeFileSync(file, `${offset}\n`);
  set("+0");
  return {
    set,
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
