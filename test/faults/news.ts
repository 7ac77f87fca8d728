import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { MIGRATIONS } from "../backup/stage.ts";
import { eventually } from "../e2e/product.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";
import { openBench, PATIENT } from "./bench.ts";
import { enrolPeople } from "./people.ts";

const WITHIN_MS = 15 * 60_000;

/** A database and a mail server as in any bench, and a source with new breaches that affect people. */
export async function openNews() {
  const bench = await openBench();
  const hibp = await startHibpPeer({ subscription: { Rpm: 60_000 } });
  const database = await postgresDatabase(await openServer(bench.database, MIGRATIONS, PATIENT), postgresEvents);
  const plain = database.transactionOf((tx: Database) => tx);
  const ask = <Row>(query: SQL): Promise<Row[]> => plain((tx) => rowsOf<Row>(tx, query));
  const known = new Map<string, string[]>();

  /** A figure from the database. */
  async function count(query: SQL): Promise<number> {
    const [row] = await ask<{ count: number }>(query);
    return Number(row?.count);
  }

  return {
    bench,
    database,
    hibp,
    plain,
    ask,
    count,
    source: {
      BREACH_SOURCE: "hibp",
      HIBP_API_KEY: hibp.apiKey,
      HIBP_BASE_URL: hibp.url,
      HIBP_POLL_SECONDS: "1",
      LOGOS_BASE_URL: "off",
      BILLING: "off",
      TRUST_PROXY: "loopback",
    },
    /** Adds people who track their addresses; resolves when the running product has checked each of them. */
    async enrol(emails: string[], also?: Parameters<typeof enrolPeople>[2]): Promise<void> {
      for (const email of emails) hibp.addAccount(email, known.get(email) ?? []);
      await enrolPeople(database, emails, also);
      await eventually(
        "everybody is checked",
        async () =>
          (await count(sql`select count(*) from breaches.scan where checked_at is null`)) === 0 ? true : undefined,
        WITHIN_MS,
      );
    },
    publish(name: string, emails: string[]): void {
      for (const email of emails) {
        known.set(email, [...(known.get(email) ?? []), name]);
        hibp.addAccount(email, known.get(email) ?? []);
      }
      hibp.publish({ Name: name });
    },
    /** Until that many messages about alerts are queued, or sent. */
    alerts(state: "queued" | "sent", least: number): Promise<true> {
      const those = state === "sent" ? sql`and state = 'sent'` : sql``;
      const query = sql`select count(*) from notifications.delivery where about->>'kind' = 'alert' ${those}`;
      return eventually(
        `${least} alerts are ${state}`,
        async () => (await count(query)) >= least || undefined,
        WITHIN_MS,
      );
    },
    async close(): Promise<void> {
      await database.close();
      await hibp.stop();
      await bench.close();
    },
  };
}

/** The value below which that share lies. */
export function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
