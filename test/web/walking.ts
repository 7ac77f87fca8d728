import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../src/shared/language.ts";
import { openSite } from "./browser.ts";
import { arrived } from "./inspect.ts";
import { findings, shifted, watchRequests, watchShifts } from "./walk_findings.ts";
import type { Stop } from "./walk_stops.ts";

export type Theme = "light" | "dark";
/** One screen in one combination. */
export type Look = { stop: Stop; language: Language; theme: Theme; width: number };
type Walk = { looks: Look[]; screenshots?: string | undefined; told?: (done: number, found: string[]) => void };
type Room = Awaited<ReturnType<Awaited<ReturnType<typeof openSite>>["room"]>>;

/** The duration of a response on a good network, and of a late one: what waits for it is rendered later. */
const ANSWER_TAKES = { usual: 30, late: 300 };

export const WIDTHS = [360, 1440];

function nameOf({ stop, language, theme, width }: Look): string {
  return `${stop.name.replaceAll(/[^\w-]+/g, "_")}-${language}-${theme}-${width}`;
}

/** In each look other responses are late, the same ones each time. */
function pausesOf(name: string): (call: string) => number {
  return (call) => ANSWER_TAKES[Bun.hash(`${name} ${call}`) % 3n === 0n ? "late" : "usual"];
}

/** Opens a screen and returns everything that is wrong with it. */
async function look(site: Awaited<ReturnType<typeof openSite>>["site"], room: Room, one: Look, folder?: string) {
  const { stop, language } = one;
  const { answers, origin } = { answers: site.set(stop.scene).answers, origin: site.origin };
  site.answerAfter(pausesOf(nameOf(one)));
  room.complaints.length = 0;
  let failed: string[] = [];
  const page = await room.open(`/${language}${stop.path}`, async (fresh) => {
    failed = watchRequests(fresh, { origin, answers, fails: stop.fails });
    await stop.prepare?.(fresh);
  });
  try {
    await arrived({ page }, stop);
    const moved = await shifted(page);
    await stop.act?.(page);
    const wrong = await findings(page, language);
    // Fixed elements would be in the middle of a full-page screenshot.
    if (folder) await page.evaluate(() => scrollTo(0, 0));
    if (folder) await page.screenshot({ path: join(folder, `${nameOf(one)}.png`), fullPage: true });
    return [...moved, ...wrong, ...failed, ...room.complaints.map((text) => `console: ${text}`)];
  } catch (error) {
    return [`not reached: ${error}`, ...failed];
  } finally {
    await page.close();
  }
}

/** Visits screens, one width after another, the widths in parallel; returns what is wrong, by combination. */
export async function walk({ looks, screenshots, told }: Walk): Promise<string[]> {
  if (screenshots) mkdirSync(screenshots, { recursive: true });
  let done = 0;
  async function lane(width: number): Promise<string[]> {
    const { site, room, close } = await openSite();
    const rooms = new Map<Theme, Room>();
    const wrong: string[] = [];
    for (const one of looks.filter((other) => other.width === width)) {
      const known = rooms.get(one.theme);
      const used = known ?? (await room({ viewport: { width, height: 800 }, colorScheme: one.theme }));
      if (!known) await watchShifts(used.context);
      rooms.set(one.theme, used);
      const found = (await look(site, used, one, screenshots)).map((text) => `${nameOf(one)}: ${text}`);
      wrong.push(...found);
      done += 1;
      told?.(done, found);
    }
    for (const used of rooms.values()) await used.leave();
    await close();
    return wrong;
  }
  return (await Promise.all([...new Set(looks.map(({ width }) => width))].map(lane))).flat();
}
