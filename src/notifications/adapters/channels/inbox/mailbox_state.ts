import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How many messages a tab keeps. */
export const KEPT = 200;

/** `change` gets the whole state; its mutations are saved. */
export type StandInMemory<State> = { change<Result>(work: (state: State) => Result): Result };

/** Stored in a file that is read on every access, so that it survives restarts and commands see the same state. */
export function standInFile<State>(path: string, empty: () => State): StandInMemory<State> {
  return {
    change(work) {
      const state: State = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : empty();
      const before = JSON.stringify(state);
      const result = work(state);
      const after = JSON.stringify(state);
      if (after === before && existsSync(path)) return result;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.tmp`, after, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
      return result;
    },
  };
}
