import { EVERY_SCREEN } from "./every_screen.ts";
import { testScreens } from "./screens.ts";

/** The first state of each page; all other states run nightly (`screens` in `test/tiers.ts`). */
const pages = new Map(
  Object.entries(EVERY_SCREEN)
    .toReversed()
    .map(([name, screen]) => [pageOf(screen.path), [name, screen]] as const),
);

/** Without parameters that only select the state. */
function pageOf(path: string): string {
  return path.replace(/[?#].*$/, "");
}

testScreens(Object.fromEntries([...pages.values()].toReversed()));
