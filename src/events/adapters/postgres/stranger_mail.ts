import { and, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { StrangerMailRepository } from "../../../shared/stranger_mail.ts";
import { strangerMailTable } from "./outbox.ts";

/** Key of the advisory lock that serialises counting. */
const LOCK_KEY = 0x1f_c0_46;

export function postgresStrangerMail(tx: Database): StrangerMailRepository {
  const rows = strangerMailTable;
  return {
    async lock() {
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
    },
    async list({ mailboxes, asker, network }, since) {
      const wanted = or(
        inArray(rows.mailbox, mailboxes),
        asker === undefined ? undefined : eq(rows.asker, asker),
        network === undefined ? undefined : eq(rows.network, network),
      );
      const found = await tx
        .select()
        .from(rows)
        .where(and(gt(rows.at, since), wanted));
      return found.map(({ id: _, asker: by, network: from, ...row }) => ({
        ...row,
        asker: by ?? undefined,
        network: from ?? undefined,
      }));
    },
    async add(mail) {
      await tx.insert(rows).values({ id: Bun.randomUUIDv7(), ...mail });
    },
    async removeClaimed(mailbox) {
      await tx.delete(rows).where(and(eq(rows.mailbox, mailbox), eq(rows.claimed, true)));
    },
    async removeBefore(before) {
      await tx.delete(rows).where(lt(rows.at, before));
    },
  };
}
