import type { Adapters } from "../adapter_types.ts";
import { budgetTable } from "../breaches/adapters/postgres/store.ts";
import type { Composition } from "../compose.ts";
import type { Database, PostgresDatabase } from "../database/postgres.ts";
import type { Figures } from "../telemetry/figures.ts";

/** What the modules and the database tell whoever watches the installation. */
export function figuresOf(
  { breaches, notifications }: Composition,
  { outbox, system }: Adapters,
  database: PostgresDatabase,
): () => Promise<Figures> {
  const plain = database.transactionOf((tx: Database) => tx);
  return async () => ({
    sources: await breaches.sourcesHealth(),
    channels: await notifications.channelsHealth(),
    deliveries: await notifications.backlog(),
    events: await outbox.backlog(),
    budgets: await plain((tx) => tx.select().from(budgetTable)),
    bytes: (await system.database()).bytes,
  });
}
