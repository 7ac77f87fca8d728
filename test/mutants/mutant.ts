import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/**
 * One mutation of a rule: `find` occurs exactly once in `file`, and `tests` (below `test/`) must fail on its
 * replacement.
 */
export type Mutant = {
  name: string;
  file: string;
  find: string;
  replace: string;
  tests: string[];
};

/** How often the text occurs in the file now: once, or the mutant is outdated. */
export function placesOf({ file, find }: Pick<Mutant, "file" | "find">): number {
  return readFileSync(join(ROOT, file), "utf8").split(find).length - 1;
}
