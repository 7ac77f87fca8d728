import { describe, expect, test } from "bun:test";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import type { DomainStore, FindingRepository } from "../../src/domains/ports.ts";
import { ADDRESSES_PER_PAGE } from "../../src/domains/showing.ts";
import { memoryDomains } from "../memory/domains/store.ts";
import { ALICE, accepted } from "../support/builders.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";
import { IS_NIGHTLY } from "../support/tier.ts";
import { settings } from "../support/world.ts";
import { DAY, domainWorld, found } from "./domain_world.ts";

const alice = ALICE.accountId;
const NAMES = IS_NIGHTLY ? 50_000 : 5000;
/** Findings that are stored in one transaction. */
const TOGETHER = 2000;
const PERSONAL = { roleSensitive: false, digest: "at_once", tellPeople: true, language: "en" } as const;

const nameOf = (index: number) => `made${String(index).padStart(5, "0")}.up`;
/** Every name is in one breach, and one in a thousand in another one as well. */
const MADE_UP = Object.fromEntries(
  Array.from({ length: NAMES }, (_, index) => [nameOf(index), index % 1000 === 7 ? ["Adobe", "Canva"] : ["Adobe"]]),
);

/** The store, with the calls of findings counted by name. */
function counted({ transaction, outbox }: TestStore<DomainStore>) {
  const calls: Partial<Record<keyof FindingRepository, number>> = {};
  function countedIn(findings: FindingRepository): FindingRepository {
    return new Proxy(findings, {
      get(target, name: keyof FindingRepository) {
        calls[name] = (calls[name] ?? 0) + 1;
        return target[name];
      },
    });
  }
  const stored = {
    outbox,
    transaction: ((work) =>
      transaction((store) => work({ ...store, findings: countedIn(store.findings) }))) as typeof transaction,
  };
  /** The calls since the last time. */
  const taken = () => {
    const now = { ...calls };
    for (const name of Object.keys(calls)) delete calls[name as keyof FindingRepository];
    return now;
  };
  return { stored, taken };
}

describe.each(eachDatabase(memoryDomains, postgresDomains))(
  "a catch-all with very many made-up names on %s",
  (_, open) => {
    test("is stored by set operations, read by the page, cut by the plan, and no person is told", async () => {
      const { stored, taken } = counted(await open());
      const w = domainWorld(stored);
      const id = await w.hold(alice);
      accepted(await w.domains.changeDomain(alice, id, { ...PERSONAL, catchAll: true }));
      w.answers.breaches = found(MADE_UP);
      taken();
      expect(await w.domains.askSources()).toBe(1);
      const findings = NAMES + NAMES / 1000;
      expect(taken()).toEqual({ markSensitive: 1, add: Math.ceil(findings / TOGETHER), summarise: 1 });

      for (let day = 0; day < 3; day++) {
        expect(await w.domains.tellPeople()).toBe(0);
        w.clock.pass(DAY);
      }
      expect(await w.domains.tellAdministrators()).toBe(1);
      const said = await w.published();
      expect(said.filter(({ type }) => type === "mail.requested")).toEqual([]);
      expect(said).toMatchObject([{ type: "domains.findingsRaised", findings, addresses: NAMES }]);

      const overview = async () => accepted(await w.domains.showOverview(alice, id));
      const none = { person: 0, role: 0, untold: 0, withheld: 0 };
      expect(await overview()).toMatchObject({ counts: { alias: NAMES, ...none }, limit: null, isCut: false });
      expect((await overview()).breaches.map(({ name, addresses }) => [name, addresses])).toEqual([
        ["Adobe", NAMES],
        ["Canva", NAMES / 1000],
      ]);
      type Asked = Parameters<typeof w.domains.listDomainAddresses>[2];
      const page = async (more: Partial<Asked> = {}) => {
        const asked = { kind: undefined, breach: undefined, search: "", after: undefined, ...more };
        const { items, next } = accepted(await w.domains.listDomainAddresses(alice, id, asked));
        return { names: items.map(({ alias }) => alias), next };
      };
      const namesFrom = (first: number, count = ADDRESSES_PER_PAGE) =>
        Array.from({ length: count }, (_, index) => nameOf(first + index));
      taken();
      expect(await page()).toEqual({ names: namesFrom(0), next: nameOf(49) });
      expect(taken()).toEqual({ page: 1 });
      expect(await page({ after: nameOf(NAMES - 801) })).toEqual({
        names: namesFrom(NAMES - 800),
        next: nameOf(NAMES - 751),
      });
      expect(await page({ after: nameOf(NAMES - 3) })).toEqual({ names: namesFrom(NAMES - 2, 2), next: null });
      const inCanva = [nameOf(NAMES - 1993), nameOf(NAMES - 993)];
      expect(await page({ breach: "Canva", after: nameOf(NAMES - 2000) })).toEqual({ names: inCanva, next: null });
      const search = String(NAMES - 2).padStart(5, "0");
      expect(await page({ search })).toEqual({ names: [nameOf(NAMES - 2)], next: null });
      expect(await page({ kind: "person" })).toEqual({ names: [], next: null });

      const { domains, addresses } = settings().domainLimits;
      expect({ domains, addresses }).toEqual({ domains: 1, addresses: 50 });
      w.allowances.set(alice, { active: true, domains, addresses });
      expect(await page()).toEqual({ names: namesFrom(0), next: null });
      expect(await page({ after: nameOf(40) })).toEqual({ names: namesFrom(41, 9), next: null });
      expect(await page({ search })).toEqual({ names: [], next: null });
      expect(await page({ breach: "Canva" })).toEqual({ names: [nameOf(7)], next: null });
      expect(await w.domains.showDomainAddress(alice, id, nameOf(50))).toMatchObject({ code: "NOT_FOUND" });
      expect(await overview()).toMatchObject({ limit: 50, isCut: true });
      const filter = { kind: undefined, breach: undefined, search: "" };
      const file = accepted(await w.domains.exportDomain(alice, id, { filter, language: "en" }));
      const rows = (await Array.fromAsync(file.chunks)).join("").trim().split("\r\n");
      expect(rows).toHaveLength(1 + 50);
      expect(rows.at(-1)).toContain(`${nameOf(49)}@example.org`);
    }, 120_000);
  },
);
