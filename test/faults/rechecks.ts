// R16: the effect of a wrong clock on checks. With a database server it makes no address due; with the embedded
// database, which has the process' clock, nothing is late by more than a period once the clock was corrected.
//   OFFSETS=-2h,+1d,+400d,-1h BACK=-1h bun test/faults/rechecks.ts
import { sql } from "drizzle-orm";
import { eventually } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";
import { atMost, type Finding, secondsUntil, tell } from "./bench.ts";
import { fakeClock } from "./fake_clock.ts";
import { begin, openWorld } from "./lives.ts";
import { openNews } from "./news.ts";
import { enrolPeople } from "./people.ts";

const PEOPLE = 100;
/** A few rounds of the jobs that look for due work. */
const WATCHED_MS = 10_000;
/** The product reads its database's clock once a minute. */
const NOTICES_MS = 65_000;
const PERIOD_HOURS = 7 * 24;
const emails = Array.from({ length: PEOPLE }, (_, number) => `person${number}@example.org`);

type Peer = { requests: { path: string }[] };
const lookUps = ({ requests }: Peer) => requests.filter(({ path }) => path.includes("/breachedaccount/")).length;

/** Until no address was looked up for a while, and at least that many were. */
async function untilQuiet(peer: Peer, least: number): Promise<void> {
  await eventually("everybody is checked", () => lookUps(peer) >= least || undefined, 120_000);
  for (let known = -1; known !== lookUps(peer); await Bun.sleep(WATCHED_MS / 2)) known = lookUps(peer);
}

async function besideServer(offsets: string[]): Promise<Finding[]> {
  const [news, clock] = [await openNews(), fakeClock()];
  const { hibp } = news;
  const product = await news.bench.start({ ...news.source, ...clock.env });
  await news.enrol(emails);
  await untilQuiet(hibp, PEOPLE);
  const findings: Finding[] = [];
  for (const offset of offsets) {
    const before = lookUps(hibp);
    clock.set(offset);
    await Bun.sleep(WATCHED_MS);
    findings.push(atMost("R16", `${offset}: of ${PEOPLE} addresses checked again`, lookUps(hibp) - before, 0));
    await news.ask(sql`update breaches.scan set due_at = now() - interval '1 second' where address = ${emails[0]}`);
    const { seconds } = await secondsUntil(async () => lookUps(hibp) > before, 60_000);
    findings.push(atMost("R16", `${offset}: one that is due is checked, seconds`, seconds, 30));
  }
  await product.stop();
  clock.remove();
  await news.close();
  return findings;
}

/** `back` hours, during the run; a breach published afterwards must be found. */
async function embedded(back: number): Promise<Finding[]> {
  const [plain, clock] = [await openWorld("pglite"), fakeClock()];
  const world = { ...plain, env: { ...plain.env, ...clock.env } };
  await world.during((database) => enrolPeople(database, emails));
  for (const email of emails) world.hibp.addAccount(email, []);
  const life = await begin(world, await freePort());
  await untilQuiet(world.hibp, PEOPLE);
  clock.set(`-${back}h`);
  await Bun.sleep(NOTICES_MS);
  for (const email of emails) world.hibp.addAccount(email, ["News"]);
  world.hibp.publish({ Name: "News" });
  const known = lookUps(world.hibp);
  /** How many hours must pass on that clock until every address is checked. */
  let late = 0;
  for (; late <= back; late++) {
    clock.set(`-${back - late}h`);
    const isOver = async () => lookUps(world.hibp) - known >= PEOPLE;
    if ((await secondsUntil(isOver, late === 0 ? WATCHED_MS * 2 : NOTICES_MS + WATCHED_MS)).seconds < 600) break;
  }
  const unchecked = PEOPLE - Math.min(PEOPLE, lookUps(world.hibp) - known);
  await life.kill();
  clock.remove();
  await world.stop();
  const on = `embedded, put back by ${back} h`;
  return [
    atMost("R16", `${on}: addresses never checked for what was published then`, unchecked, 0),
    atMost("R16", `${on}: hours that these checks were late`, late, PERIOD_HOURS),
  ];
}

export const rechecks = async (offsets: string[], back: number): Promise<Finding[]> => [
  ...(await besideServer(offsets)),
  ...(back > 0 ? await embedded(back) : []),
];

if (import.meta.main)
  await tell(rechecks((process.env.OFFSETS ?? "-2h,+1d,+400d,-1h").split(","), Number(process.env.BACK ?? 1)));
