import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { PostgresDatabase } from "../../src/database/postgres.ts";

const CHUNK = 50;

/** Monitored addresses that were never checked. */
export async function watch(database: PostgresDatabase, addresses: string[], sources = ["hibp"]): Promise<void> {
  const transaction = database.transactionOf(postgresBreaches);
  for (let start = 0; start < addresses.length; start += CHUNK)
    await transaction(async ({ watches, scans }) => {
      for (const address of addresses.slice(start, start + CHUNK)) {
        const person = { address, accountId: crypto.randomUUID(), associationId: crypto.randomUUID() };
        await watches.add({ ...person, details: true, sensitive: true });
        await scans.add(address, sources, database.now());
      }
    });
}
