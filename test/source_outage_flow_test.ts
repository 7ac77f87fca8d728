import { expect, test } from "bun:test";
import { aBreach } from "./support/builders.ts";
import { HOUR } from "./support/clock.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp } from "./support/world.ts";

const PEOPLE = ["alice@example.com", "bob@example.net"];
const HOURS = 72;
const TROUBLE = { kind: "later", afterMs: HOUR, reason: "no connection" } as const;
const published = (hour: number) =>
  aBreach({
    name: `Hour${hour}`,
    title: `Shop ${hour}`,
    addedDate: `2026-11-2${Math.floor(hour / 24)}T0${hour % 10}:00:00Z`,
  });

/** The product, and a switch for its source. */
function worldWithSource(ground: Ground) {
  const source = { isDown: false };
  const adapters = adaptersOn(ground);
  const { feed } = ground;
  const unlessDown =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer | typeof TROUBLE> =>
      source.isDown ? TROUBLE : ask(...asked);
  adapters.gateways.feeds = [
    {
      ...feed,
      latest: unlessDown(feed.latest),
      catalogue: unlessDown(feed.catalogue),
      breach: unlessDown(feed.breach),
      lookUp: unlessDown(feed.lookUp),
    },
  ];
  return { world: composed(adapters), source };
}

const toldTo = ({ sender }: Ground, email: string, title: string) =>
  sender.sent.filter(({ to, content }) => to.value === email && content.subject.includes(title)).length;

test("after three days without its source nobody was called safe, and all that was published meanwhile is told once", async () => {
  const ground = memoryGround();
  const { world, source } = worldWithSource(ground);
  const calls: Awaited<ReturnType<typeof signedUp>>[] = [];
  ground.feed.publish(aBreach({ name: "Old", title: "Old Shop" }));
  await world.breaches.pollCatalogue();
  for (const email of PEOPLE) {
    ground.feed.expose(email, "Old");
    const call = await signedUp(world, email);
    const form = { address: email, owner: true, language: "en", contacts: { email: [email] } };
    expect((await call("POST", "/api/associations", form)).status).toBe(201);
    calls.push(call);
  }
  await settle(world);
  const seen = () =>
    Promise.all(
      calls.map(async (call) => {
        const { items } = (await (await call("GET", "/api/associations")).json()) as { items: { status: string }[] };
        return items[0];
      }),
    );
  const before = await seen();
  expect(before.map((item) => item?.status)).toEqual(["breached", "breached"]);
  const sentBefore = ground.sender.sent.length;

  const live = async () => {
    await world.breaches.pollCatalogue();
    await settle(world);
  };
  const news: string[] = [];
  source.isDown = true;
  for (let hour = 0; hour < HOURS; hour++) {
    ground.clock.pass(HOUR);
    if (hour % 12 === 0) {
      const breach = published(hour);
      news.push(breach.title);
      ground.feed.publish(breach);
      for (const email of PEOPLE) ground.feed.expose(email, breach.name);
    }
    await live();
    // A visit now and then, or the session ends.
    if (hour % 6 === 0) expect(await seen()).toEqual(before);
  }
  expect(ground.sender.sent).toHaveLength(sentBefore);

  source.isDown = false;
  for (let hour = 0; hour < 12; hour++) {
    ground.clock.pass(HOUR);
    await live();
  }
  for (const email of PEOPLE)
    expect(news.map((title) => [title, toldTo(ground, email, title)])).toEqual(news.map((title) => [title, 1]));
  expect(ground.sender.sent).toHaveLength(sentBefore + news.length * PEOPLE.length);
});
