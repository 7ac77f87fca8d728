import { EVERY_SCREEN } from "./every_screen.ts";
import { testScreens } from "./screens.ts";

/** One state of each page, the first that is listed; every other state follows at night (`screens` in `test/tiers.ts`). */
const pages = new Map(
  Object.entries(EVERY_SCREEN)
    .toReversed()
    .map(([name, screen]) => [pageOf(screen.path), [name, screen]] as const),
);

/** Without what only says which state is meant. */
function pageOf(path: string): string {
  return path.replace(/[?#].*$/, "");
}

testScreens(Object.fromEntries([...pages.values()].toReversed()));
