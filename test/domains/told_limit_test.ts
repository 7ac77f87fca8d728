import { describe, expect, test } from "bun:test";
import { TOLD_PER_DAY } from "../../src/domains/people.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, domainWorld, found, HOUR } from "./domain_world.ts";

const [alice, bob] = [ALICE.accountId, BOB.accountId];
const NAME = "example.org";

/** A domain with more people than are told in two days, of whom some have been told. */
async function toldWorld(count: number) {
  const w = domainWorld();
  const names = Array.from({ length: 3 * TOLD_PER_DAY }, (_, index) => `person${index}`);
  w.answers.breaches = found(Object.fromEntries(names.map((name) => [name, ["Adobe"]])));
  const id = await w.hold(alice);
  await w.domains.askSources();
  let told = 0;
  while (told < count) told += await w.domains.tellPeople();
  const drain = async () => {
    let more = 0;
    for (let run = 0; run < 20; run++) more += await w.domains.tellPeople();
    return more;
  };
  return { ...w, id, told, drain };
}

describe("the daily limit of people who are told", () => {
  test("holds when the domain is removed and added again", async () => {
    const w = await toldWorld(TOLD_PER_DAY / 2);
    for (let round = 0; round < 2; round++) {
      accepted(await w.domains.removeDomain(alice, accepted(await w.domains.listDomains(alice)).items[0]?.id ?? ""));
      await w.hold(alice);
      await w.domains.askSources();
      w.told += await w.drain();
    }
    expect(w.told).toBe(TOLD_PER_DAY);
    w.clock.pass(DAY);
    expect(await w.drain()).toBe(TOLD_PER_DAY);
  });

  test("holds when another account proves the domain, or the first one ends and registers anew", async () => {
    const w = await toldWorld(TOLD_PER_DAY / 2);
    await w.domains.onDeleted({ type: "identity.deleted", accountId: alice });
    await w.hold(bob);
    await w.domains.askSources();
    w.told += await w.drain();
    expect(w.told).toBe(TOLD_PER_DAY);
  });

  test("is of one domain", async () => {
    const w = await toldWorld(TOLD_PER_DAY);
    await w.hold(alice, "example.net");
    await w.domains.askSources();
    expect(await w.drain()).toBe(TOLD_PER_DAY);
    expect((await w.mails()).filter(({ to }) => to.endsWith(`@${NAME}`))).toHaveLength(TOLD_PER_DAY);
  });

  test("holds for two processes, and puts nobody off", async () => {
    const w = await toldWorld(TOLD_PER_DAY - 5);
    const more = await Promise.all([w.domains.tellPeople(), w.domains.tellPeople()]);
    expect(w.told + more.reduce((sum, count) => sum + count)).toBe(TOLD_PER_DAY);
    const waiting = await w.transaction(({ findings }) => findings.listUntold(NAME, 1000));
    expect(waiting.filter(({ putOffAt }) => putOffAt)).toEqual([]);
    w.clock.pass(DAY - HOUR);
    expect(await w.drain()).toBe(0);
  });
});
