import { openPglite } from "../../src/database/pglite.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { inBackground } from "../../src/database/priority_queue.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import { newDomain } from "../../src/domains/domain.ts";
import { createDomains } from "../../src/domains/mod.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import { factsOf } from "../domains/domain_world.ts";
import { temporaryDirectory } from "../e2e/product.ts";
import { round, tell } from "./figures.ts";
import { load } from "./load.ts";

const MIGRATIONS = `${import.meta.dir}/../../migrations`;
const NAME = "example.org";
const ACCOUNT = crypto.randomUUID();
const ANY = { kind: undefined, breach: undefined, search: "", after: undefined };
/** Pages of 100,000 found addresses. */
const BOUNDS = { p99Ms: 100 };
const BREACHES = 900;

/** The module alone on a real database, with one proven domain whose addresses all reach one mailbox. */
async function openDomains(databaseUrl: string | undefined, byAlias: Map<string, string[]>) {
  const connection = await (databaseUrl
    ? openServer(databaseUrl, MIGRATIONS)
    : openPglite(temporaryDirectory(), MIGRATIONS));
  const database = await postgresDatabase(connection, postgresEvents);
  const transaction = database.transactionOf(postgresDomains);
  const { now } = database;
  const first = { id: crypto.randomUUID(), accountId: ACCOUNT, name: NAME, token: "t", language: "en" as const };
  const domain = newDomain({ ...first, proof: "dns", mailbox: undefined }, now());
  await transaction(({ domains }) => domains.add({ ...domain, state: "proven", catchAll: true }));
  const domains = createDomains({
    ...keysOf("a secret of the bench, long enough to be one"),
    transaction,
    proofs: { look: async () => ({ kind: "found" }) },
    sources: {
      names: () => ["bench"],
      generationOf: async () => 1,
      breachesOf: async () => ({ kind: "found", byAlias, leftOut: 0 }),
      sitesOf: async () => ({ kind: "none" }),
      startVerification: async () => ({ kind: "by_operator" }),
      finishVerification: async () => ({ kind: "missing" }),
    },
    allowance: { of: async () => ({ active: true, domains: null, addresses: null }) },
    accounts: { of: async () => undefined },
    owners: { of: async () => new Map() },
    defaultContacts: { of: async () => [] },
    breachFacts: {
      of: async (names) => new Map(names.map((name) => [name, factsOf(name)])),
      sensitiveNames: async () => Array.from({ length: BREACHES / 10 }, (_, index) => `Breach${index * 10}`),
    },
    translate: (_, key) => key,
    newId: () => Bun.randomUUIDv7(),
    newToken,
    newCode: () => "123456",
    hashToken,
    now,
    report: (error) => console.error(error),
  });
  const vacuum = () => database.transactionOf((tx: Database) => tx)(async (tx) => void (await tx.execute("analyze")));
  return { domains, id: domain.id, vacuum, close: () => connection.close() };
}

/** A source's answer is stored in one go, and each page of the domain is read. */
export async function wholeDomain(databaseUrl: string | undefined, addresses: number): Promise<void> {
  const byAlias = new Map(
    Array.from({ length: addresses }, (_, index) => [
      `person${index}.of${index % 97}`,
      [0, 7, 31].map((step) => `Breach${(index + step * (index % 13)) % BREACHES}`),
    ]),
  );
  const { domains, id, vacuum, close } = await openDomains(databaseUrl, byAlias);
  const started = performance.now();
  await inBackground(() => domains.askSources());
  const storedMs = performance.now() - started;
  await vacuum();
  const page = (more: Partial<typeof ANY> | Record<string, string>) => async () => {
    const found = await domains.listDomainAddresses(ACCOUNT, id, { ...ANY, ...more });
    if (!found.ok) throw new Error(found.code);
  };
  const looks: Record<string, () => Promise<void>> = {
    overview: async () => void (await domains.showOverview(ACCOUNT, id)),
    first_page: page({}),
    late_page: page({ after: "person7" }),
    one_breach: page({ breach: "Breach7" }),
    search: page({ search: "99.of" }),
    address: async () => void (await domains.showDomainAddress(ACCOUNT, id, "person7.of7")),
  };
  const p99: Record<string, number> = {};
  for (const [name, look] of Object.entries(looks)) {
    await look();
    p99[name] = round((await load({ callers: 1, requests: 100 }, look)).p99, 1);
  }
  const database = databaseUrl ? "postgres" : "pglite";
  const pass = Object.values(p99).every((ms) => ms <= BOUNDS.p99Ms);
  tell({ line: "domain", database, addresses, stored_ms: Math.round(storedMs), p99_ms: p99, bounds: BOUNDS, pass });
  await close();
}
