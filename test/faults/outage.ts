// R7: three days without the source, and what follows when it is back. Nobody is called safe or checked meanwhile,
// everything published is announced once, and without a flood of messages. The real composition in memory, with its own
// clock.
//   HOURS=72 bun test/faults/outage.ts
import type { BreachFeed } from "../../src/breaches/ports.ts";
import { aBreach } from "../support/builders.ts";
import { HOUR, MINUTE, SECOND } from "../support/clock.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp } from "../support/world.ts";
import { atMost, type Finding, tell } from "./bench.ts";

const PEOPLE = ["alice@example.com", "bob@example.net"];
const PUBLISHED_EVERY_HOURS = 12;
/** The intervals of the jobs. */
const GATHERS_EVERY_S = 30;
const AFTERMATH_S = 15 * 60;
const TROUBLE = { kind: "later", afterMs: HOUR, reason: "no connection" } as const;

/** The product, and a switch for its source. */
function worldWithSource(ground: Ground) {
  const source = { isDown: false };
  const adapters = adaptersOn(ground);
  const { feed } = ground;
  const unlessDown =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer | typeof TROUBLE> =>
      source.isDown ? TROUBLE : ask(...asked);
  const { latest, catalogue, breach, lookUp } = feed;
  const fickle: BreachFeed = {
    ...feed,
    latest: unlessDown(latest),
    catalogue: unlessDown(catalogue),
    breach: unlessDown(breach),
    lookUp: unlessDown(lookUp),
  };
  adapters.gateways.feeds = [fickle];
  return { world: composed(adapters), source };
}

/** The largest number of these times in any minute. */
function mostInAMinute(times: number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + MINUTE).length));
}

export async function outage(hours: number): Promise<Finding[]> {
  const ground = memoryGround();
  const { world, source } = worldWithSource(ground);
  const { clock, feed, sender } = ground;
  feed.publish(aBreach({ name: "Old", title: "Old Shop" }));
  await world.breaches.pollCatalogue();
  const calls: Awaited<ReturnType<typeof signedUp>>[] = [];
  for (const email of PEOPLE) {
    feed.expose(email, "Old");
    const call = await signedUp(world, email);
    await call("POST", "/api/associations", {
      address: email,
      owner: true,
      language: "en",
      contacts: { email: [email] },
    });
    calls.push(call);
  }
  await settle(world);
  const seen = () =>
    Promise.all(
      calls.map(async (call) => {
        const { items } = (await (await call("GET", "/api/associations")).json()) as { items: object[] };
        return JSON.stringify(items[0]);
      }),
    );
  const before = await seen();
  const sentBefore = sender.sent.length;
  const titles: string[] = [];
  let changed = 0;

  source.isDown = true;
  for (let hour = 0; hour < hours; hour++) {
    clock.pass(HOUR);
    if (hour % PUBLISHED_EVERY_HOURS === 0) {
      const [name, title] = [`Hour${hour}`, `Shop of hour ${hour}`];
      titles.push(title);
      feed.publish(aBreach({ name, title, addedDate: clock.now().toISOString() }));
      for (const email of PEOPLE) feed.expose(email, name);
    }
    await world.breaches.pollCatalogue();
    await settle(world);
    // An occasional visit, or the session expires.
    if (hour % 6 === 0) changed += (await seen()).filter((item, index) => item !== before[index]).length;
  }
  const sentMeanwhile = sender.sent.length - sentBefore;

  source.isDown = false;
  const times = new Map(PEOPLE.map((email): [string, number[]] => [email, []]));
  clock.pass(HOUR);
  for (let second = 0; second < AFTERMATH_S; second++) {
    const known = sender.sent.length;
    await world.breaches.pollCatalogue();
    await settle(world);
    if (second % GATHERS_EVERY_S === 0) await world.notifications.gatherDue();
    for (const { to } of sender.sent.slice(known)) times.get(to.value)?.push(clock.now().getTime());
    clock.pass(SECOND);
  }
  const told = sender.sent.slice(sentBefore);
  const toldTimes = PEOPLE.flatMap((email) =>
    titles.map(
      (title) => told.filter(({ to, content }) => to.value === email && JSON.stringify(content).includes(title)).length,
    ),
  );
  const on = `${hours} hours without the source`;
  return [
    atMost("R7", `${on}: looks at an address that showed another status or check`, changed, 0),
    atMost("R7", `${on}: messages meanwhile`, sentMeanwhile, 0),
    atMost(
      "R7",
      `${on}: of ${toldTimes.length} exposures not told afterwards`,
      toldTimes.filter((count) => count === 0).length,
      0,
    ),
    atMost("R7", `${on}: told more often than once`, toldTimes.filter((count) => count > 1).length, 0),
    atMost(
      "R7",
      `${on}: most messages to one contact in a minute`,
      Math.max(...[...times.values()].map(mostInAMinute)),
      1,
    ),
  ];
}

if (import.meta.main) await tell(outage(Number(process.env.HOURS ?? 72)));
