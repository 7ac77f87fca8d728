import { describe, expect, test } from "bun:test";
import type { DomainStore } from "../../src/domains/ports.ts";
import { ALICE, accepted } from "../support/builders.ts";
import { DAY, domainWorld, found, storedInMemory } from "./domain_world.ts";

/** More than the job reads at a time. */
const MANY = 250;
const AT_ONCE = {
  catchAll: false,
  roleSensitive: false,
  digest: "at_once",
  tellPeople: false,
  language: "en",
} as const;

/** Domains of many accounts with something new to tell in each; those in `broken` fail. */
async function backlog(broken: { has(name: string): boolean } = new Set<string>()) {
  const stored = storedInMemory();
  const faults = { on: true };
  const around = (store: DomainStore): DomainStore => ({
    ...store,
    findings: {
      ...store.findings,
      async countNews(name, ...more) {
        if (faults.on && broken.has(name)) throw new Error(`cannot count ${name}`);
        return store.findings.countNews(name, ...more);
      },
    },
  });
  const w = domainWorld({
    ...stored,
    transaction: (work) => stored.transaction((store) => work(around(store))),
  });
  const alice = w.accounts.get(ALICE.accountId);
  if (!alice) throw new Error("There is no Alice");
  w.answers.breaches = found({ info: ["Adobe"] });
  for (let number = 0; number < MANY; number += 1) {
    const accountId = crypto.randomUUID();
    w.accounts.set(accountId, alice);
    const id = await w.hold(accountId, `d${number}.example`);
    accepted(await w.domains.changeDomain(accountId, id, AT_ONCE));
  }
  while ((await w.domains.askSources()) > 0);
  await w.published();
  w.clock.pass(1000);
  const told = async () =>
    (await w.published()).flatMap((event) => (event.type === "domains.findingsRaised" ? [event.domain] : []));
  return { ...w, faults, told };
}

describe("tellAdministrators()", () => {
  test("tells of any number of domains in one run", async () => {
    const w = await backlog();
    expect(await w.domains.tellAdministrators()).toBe(MANY);
    expect(new Set(await w.told()).size).toBe(MANY);
    expect(await w.domains.tellAdministrators()).toBe(0);
  });

  test("tells once of domains that were woken in this very moment", async () => {
    const w = await backlog();
    await w.transaction(async ({ domains }) => {
      for (let number = 0; number < MANY; number += 1) await domains.wake(`d${number}.example`, w.clock.now());
    });
    expect(await w.domains.tellAdministrators()).toBe(MANY);
    w.clock.pass(DAY);
    expect(await w.domains.tellAdministrators()).toBe(0);
  });

  test("skips domains that fail until the next run, and reports them", async () => {
    const w = await backlog(new Set(["d3.example", "d200.example"]));
    expect(await w.domains.tellAdministrators()).toBe(MANY - 2);
    expect(w.errors).toEqual([new Error("cannot count d3.example"), new Error("cannot count d200.example")]);
    await w.told();
    w.faults.on = false;
    expect(await w.domains.tellAdministrators()).toBe(2);
    expect((await w.told()).toSorted()).toEqual(["d200.example", "d3.example"]);
  });

  test("ends when every domain fails", async () => {
    const w = await backlog({ has: () => true });
    expect(await w.domains.tellAdministrators()).toBe(0);
    expect(w.errors).toHaveLength(MANY);
    w.faults.on = false;
    expect(await w.domains.tellAdministrators()).toBe(MANY);
  });

  test("ends between two domains when it is stopped", async () => {
    const w = await backlog();
    let asked = 0;
    expect(await w.domains.tellAdministrators(() => ++asked > 7)).toBe(7);
    expect(await w.domains.tellAdministrators()).toBe(MANY - 7);
  });
});
