import { expect, test } from "bun:test";
import type { DomainStore } from "../../src/domains/ports.ts";
import { ALICE, accepted } from "../support/builders.ts";
import { DAY, domainWorld, found, storedInMemory } from "./domain_world.ts";

const alice = ALICE.accountId;
const set = {
  catchAll: false,
  roleSensitive: false,
  digest: "at_once" as const,
  tellPeople: false,
  language: "en" as const,
};

/** A store in memory whose transactions see what `around` makes of it, and fail where that throws. */
function interrupted(around: (store: DomainStore) => DomainStore) {
  const stored = storedInMemory();
  const transaction: typeof stored.transaction = (work) => stored.transaction((store) => work(around(store)));
  return { ...stored, transaction };
}

test("tagged addresses of one mailbox keep no one else from being told", async () => {
  const w = domainWorld();
  await w.hold(alice);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`anna+${i}`, ["Adobe", "Canva"]]));
  w.answers.breaches = found({ ...many, zoe: ["Adobe"] });
  await w.domains.askSources();
  await w.mails();
  for (let i = 0; i < 30; i++) {
    await w.domains.tellPeople();
    w.clock.pass(30_000);
  }
  const to = (await w.mails()).map((m) => m.to);
  expect(to).toContain("zoe@example.org");
});

test("two processes tell a person once of what is new, and count the mail once", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  accepted(await w.domains.changeDomain(alice, id, { ...set, tellPeople: true }));
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  await w.mails();
  await Promise.all([w.domains.tellPeople(), w.domains.tellPeople()]);
  const first = (await w.mails()).length;
  w.source.generation = 2;
  w.answers.breaches = found({ anna: ["Adobe", "Canva"] });
  w.clock.pass(8 * DAY);
  await w.domains.askSources();
  await w.mails();
  await Promise.all([w.domains.tellPeople(), w.domains.tellPeople()]);
  expect([first, (await w.mails()).length]).toEqual([1, 1]);
});

test("a crash after the last person was told loses no message to the administrator", async () => {
  let crash = false;
  let told = false;
  const w = domainWorld(
    interrupted((store) => {
      if (crash && told) throw new Error("crash");
      const findings: DomainStore["findings"] = {
        ...store.findings,
        async markTold(...parts) {
          told = true;
          return store.findings.markTold(...parts);
        },
      };
      return { ...store, findings };
    }),
  );
  const id = await w.hold(alice);
  accepted(await w.domains.changeDomain(alice, id, { ...set }));
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  await w.domains.tellAdministrators();
  crash = true;
  await w.domains.tellPeople().catch(() => 0);
  crash = false;
  for (let i = 0; i < 5; i++) {
    w.clock.pass(60_000);
    await w.domains.tellPeople();
  }
  w.clock.pass(DAY);
  expect(await w.domains.tellAdministrators()).toBe(1);
  expect(accepted(await w.domains.showOverview(alice, id)).breaches).toHaveLength(1);
});

test("a domain that is removed while it waits for its turn leaves nothing", async () => {
  const w = domainWorld();
  await w.hold(alice, "a.org");
  const b = await w.hold(alice, "b.org");
  Object.defineProperty(w.answers, "breaches", { get: () => w.domains.removeDomain(alice, b).then(() => found({})) });
  await w.domains.askSources();
  expect(await w.transaction(({ sources }) => sources.list("b.org"))).toEqual([]);
});

test("turning messages on while a run of the job is under way loses nothing", async () => {
  let hook: (() => Promise<unknown>) | undefined;
  const stored = storedInMemory();
  const w = domainWorld({
    ...stored,
    async transaction(work) {
      const result = await stored.transaction(work);
      const next = hook;
      hook = undefined;
      await next?.();
      return result;
    },
  });
  const id = await w.hold(alice);
  accepted(await w.domains.changeDomain(alice, id, { ...set, digest: "off" }));
  w.answers.breaches = found({ info: ["Adobe"] });
  await w.domains.askSources();
  w.clock.pass(1000);
  hook = () => w.domains.changeDomain(alice, id, { ...set, digest: "at_once" });
  let told = await w.domains.tellAdministrators();
  for (let i = 0; i < 5; i++) {
    w.clock.pass(DAY);
    told += await w.domains.tellAdministrators();
  }
  expect(told).toBe(1);
});

test("a crash after the monthly code was mailed loses no warning", async () => {
  let crash = false;
  let sent = false;
  const w = domainWorld(
    interrupted((store) => {
      if (crash && sent) throw new Error("crash");
      const domains: DomainStore["domains"] = {
        ...store.domains,
        async save(domain, ...parts) {
          if (crash && domain.codeHash) sent = true;
          return store.domains.save(domain, ...parts);
        },
      };
      return { ...store, domains };
    }),
  );
  const { id } = accepted(
    await w.domains.addDomain(alice, { name: "example.org", proof: "mail", mailbox: "security" }),
  );
  accepted(await w.domains.sendDomainCode(alice, id));
  accepted(await w.domains.enterDomainCode(alice, id, "123456"));
  await w.mails();
  w.clock.pass(31 * DAY);
  crash = true;
  await w.domains.lookForProofs().catch(() => 0);
  crash = false;
  w.clock.pass(60_000);
  await w.domains.lookForProofs();
  expect((await w.mails()).map((m) => m.template).toSorted()).toEqual(["domain_code", "domain_proof_missing"]);
});
