import { expect, test } from "bun:test";
import { newDomain } from "../../src/domains/domain.ts";
import { PROOFS_AT_ONCE } from "../../src/domains/proof_looks.ts";
import type { ProofLook } from "../../src/domains/proof_ports.ts";
import { memoryDomainProofs } from "../memory/domains/proofs.ts";
import { ALICE, accepted } from "../support/builders.ts";
import { DAY, domainWorld, HOUR, storedInMemory } from "./domain_world.ts";

const SILENT: ProofLook = { kind: "unreachable", reason: "no answer in time" };

/** Proofs at silent peers: a look ends when the test says so. */
function silentProofs() {
  const open: { domain: string; end: (look: ProofLook) => void }[] = [];
  let [most, wanted] = [0, Number.POSITIVE_INFINITY];
  let reach = () => {};
  const proofs = {
    ...memoryDomainProofs(),
    look(domain: string): Promise<ProofLook> {
      const { promise, resolve } = Promise.withResolvers<ProofLook>();
      open.push({ domain, end: resolve });
      most = Math.max(most, open.length);
      if (open.length >= wanted) reach();
      return promise;
    },
  };
  return {
    proofs,
    most: () => most,
    /** Waits until this many looks are under way, and returns the domains that are looked at. */
    async underWay(count: number): Promise<string[]> {
      const { promise, resolve } = Promise.withResolvers<void>();
      [wanted, reach] = [count, resolve];
      if (open.length < count) await promise;
      return open.map(({ domain }) => domain);
    },
    endAll: () => open.splice(0).forEach(({ end }) => void end(SILENT)),
  };
}

/** A world with claims of as many accounts, all due. */
async function dueWorld(names: string[]) {
  const peers = silentProofs();
  const w = domainWorld(storedInMemory(), peers.proofs);
  for (const name of names) {
    const first = {
      id: Bun.randomUUIDv7(),
      accountId: Bun.randomUUIDv7(),
      name,
      proof: "dns",
      token: "t0ken",
    } as const;
    const claim = newDomain({ ...first, mailbox: undefined, language: "en" }, w.clock.now());
    await w.transaction(({ domains }) => domains.add(claim));
  }
  w.clock.pass(HOUR);
  return { ...w, peers };
}

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);

test("many due proofs at silent peers are looked for a few rounds long, a bounded number at once", async () => {
  const names = namesOf(5 * PROOFS_AT_ONCE);
  const { domains, peers } = await dueWorld(names);
  const run = domains.lookForProofs();
  const seen: string[] = [];
  let rounds = 0;
  for (; seen.length < names.length; rounds++) {
    // The next ones are claimed once a quarter of the places is free.
    seen.push(...(await peers.underWay(Math.min(0.75 * PROOFS_AT_ONCE, names.length - seen.length))));
    peers.endAll();
  }
  expect(await run).toBe(names.length);
  expect(seen.toSorted()).toEqual(names.toSorted());
  expect(rounds).toBeLessThanOrEqual(7);
  expect(peers.most()).toBe(PROOFS_AT_ONCE);
});

test("two claims to one domain are looked at one after the other", async () => {
  const { domains, peers } = await dueWorld(["one.example", "one.example", "two.example"]);
  const run = domains.lookForProofs();
  expect((await peers.underWay(2)).toSorted()).toEqual(["one.example", "two.example"]);
  peers.endAll();
  expect(await peers.underWay(1)).toEqual(["one.example"]);
  peers.endAll();
  expect(await run).toBe(3);
  expect(peers.most()).toBe(2);
});

test("no look is begun once the process stops", async () => {
  const { domains, peers } = await dueWorld(namesOf(2 * PROOFS_AT_ONCE));
  let isOver = false;
  const run = domains.lookForProofs(() => isOver);
  await peers.underWay(PROOFS_AT_ONCE);
  isOver = true;
  peers.endAll();
  expect(await run).toBe(PROOFS_AT_ONCE);
  expect(await peers.underWay(0)).toEqual([]);
});

test("a look that fails is reported, and repeated later", async () => {
  const w = domainWorld();
  accepted(await w.domains.addDomain(ALICE.accountId, { name: "example.org", proof: "dns" }));
  w.clock.pass(HOUR);
  w.proofs.look = () => Promise.reject(new Error("broken"));
  expect(await w.domains.lookForProofs()).toBe(1);
  expect(w.errors).toMatchObject([{ message: "broken" }]);
  expect(await w.domains.lookForProofs()).toBe(0);
  w.clock.pass(DAY);
  expect(await w.domains.lookForProofs()).toBe(1);
});
