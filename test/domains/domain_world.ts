import { createDomains } from "../../src/domains/mod.ts";
import type { Account, Allowance, DomainStore, FoundByAlias, SourceTrouble } from "../../src/domains/ports.ts";
import type { Outbox } from "../../src/events/outbox.ts";
import { hashToken, keysOf } from "../../src/runtime/crypto.ts";
import type { BreachFacts } from "../../src/shared/breach.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryDomainProofs } from "../memory/domains/proofs.ts";
import { memoryDomains } from "../memory/domains/store.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { testClock } from "../support/clock.ts";
import { takePublished } from "../support/published.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const keys = keysOf("a secret of the tests, long enough to be one");

export function factsOf(name: string, more: Partial<BreachFacts> = {}): BreachFacts {
  return {
    name,
    title: name,
    domain: `${name.toLowerCase()}.com`,
    breachDate: "2013-10-04",
    addedDate: "2013-12-04T00:00:00Z",
    dataClasses: ["Email addresses"],
    flags: [],
    pwnCount: 10,
    passwordStorage: null,
    manyServices: false,
    logo: null,
    ...more,
  };
}

function person(email: string, firstName: string): Account {
  return { email, verified: true, language: "de", firstName, lastName: "Example", network: undefined };
}

type Answers = {
  breaches: FoundByAlias | { kind: "unverified" } | SourceTrouble;
  sites: FoundByAlias | { kind: "none" } | SourceTrouble;
  begin: { kind: "record"; value: string } | { kind: "by_operator" };
  finish: { kind: "verified" } | { kind: "missing" };
};
export const found = (byAlias: Record<string, string[]>): FoundByAlias => ({
  kind: "found",
  byAlias: new Map(Object.entries(byAlias)),
  leftOut: 0,
});

type Stored = { transaction: Transaction<DomainStore>; outbox: Outbox };

/** An empty store with its outbox. */
export function storedInMemory(): Stored {
  const database = memoryDatabase();
  return { transaction: database.transactionOf(memoryDomains), outbox: memoryOutbox(database) };
}

/** The module on memory or another store, with two accounts, a source and a clock. */
export function domainWorld(stored = storedInMemory(), proofs = memoryDomainProofs()) {
  const { transaction, outbox } = stored;
  const clock = testClock();
  const accounts = new Map<string, Account>([
    [ALICE.accountId, person(ALICE.address, "Alice")],
    [BOB.accountId, person(BOB.address, "Bob")],
  ]);
  const allowances = new Map<string, Allowance>();
  const errors: unknown[] = [];
  let tokens = 0;
  const source = { generation: 1, asked: [] as string[] };
  const answers: Answers = {
    breaches: found({}),
    sites: { kind: "none" },
    begin: { kind: "by_operator" },
    finish: { kind: "missing" },
  };
  const domains = createDomains({
    ...keys,
    transaction,
    proofs,
    sources: {
      names: () => ["hibp"],
      generationOf: async () => source.generation,
      async breachesOf(_, domain) {
        source.asked.push(domain);
        return answers.breaches;
      },
      sitesOf: async () => answers.sites,
      startVerification: async () => answers.begin,
      finishVerification: async () => answers.finish,
    },
    allowance: {
      of: async (accountId) => allowances.get(accountId) ?? { active: true, domains: null, addresses: null },
    },
    accounts: { of: async (accountId) => accounts.get(accountId) },
    owners: {
      of: async (addresses) =>
        new Map([...accounts.values()].flatMap((one) => (addresses.includes(one.email) ? [[one.email, one]] : []))),
    },
    defaultContacts: { of: async () => [] },
    breachFacts: {
      of: async (names) => new Map(names.map((name) => [name, factsOf(name)])),
      sensitiveNames: async () => ["Dating"],
    },
    translate: (_, key) => key,
    newId: () => Bun.randomUUIDv7(),
    newToken: () => `token${tokens++}`.padEnd(43, "x"),
    newCode: () => "123456",
    hashToken,
    now: clock.now,
    report: (error) => void errors.push(error),
  });

  const published = () => takePublished(outbox);
  /** The mails that were requested since the last call. */
  const mails = async () => (await published()).flatMap((event) => (event.type === "mail.requested" ? [event] : []));

  /** Adds a domain and shows its proof. */
  async function hold(accountId: string, name = "example.org", proof: "dns" | "file" = "dns"): Promise<string> {
    const { id } = accepted(await domains.addDomain(accountId, { name, proof }));
    const { record } = accepted(await domains.showDomain(accountId, id));
    proofs.published.set(`${proof} ${name}`, record?.value ?? "");
    accepted(await domains.checkDomain(accountId, id));
    return id;
  }

  return { domains, transaction, proofs, clock, accounts, allowances, source, answers, errors, published, mails, hold };
}
