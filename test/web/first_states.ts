import { EVERY_SCREEN } from "./every_screen.ts";
import type { Screen } from "./screen.ts";

/** Without parameters that only select the state. */
function pageOf(path: string): string {
  return path.replace(/[?#].*$/, "");
}

/** The first state of each page, by its name; all other states run nightly (`screens` in `test/tiers.ts`). */
export const FIRST_STATES: [name: string, screen: Screen][] = [
  ...new Map(
    Object.entries(EVERY_SCREEN)
      .toReversed()
      .map((entry): [string, [string, Screen]] => [pageOf(entry[1].path), entry]),
  ).values(),
].toReversed();

const forVisitors = new Set(["unauthenticated", "partial"]);

/** Whether the page is shown to people who have not logged in. */
export const isPublic = ([, { scene }]: [string, Screen]): boolean => forVisitors.has(scene?.level ?? "authenticated");
