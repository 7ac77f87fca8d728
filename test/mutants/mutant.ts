import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** One wrong turn of one rule: `find` stands exactly once in `file`, and `tests` (below `test/`) have to notice its replacement. */
export type Mutant = {
  name: string;
  file: string;
  find: string;
  replace: string;
  tests: string[];
};

/** How often the text stands in the file now: once, or the mutant is stale. */
export function placesOf({ file, find }: Pick<Mutant, "file" | "find">): number {
  return readFileSync(join(ROOT, file), "utf8").split(find).length - 1;
}
