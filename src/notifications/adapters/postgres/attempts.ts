import { asc, eq, type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../../database/logical_dump.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { DeliveryRepository } from "../../ports.ts";
import { attemptTable, deliveryTable } from "./tables.ts";

type Attempts = Pick<DeliveryRepository, "addAttempt" | "startHeldAttempts" | "endAttempts" | "listAttempts">;

/** As an array, so that rows are looked up by id: for a join the planner would scan the whole table while it is small. */
const idsIn = (list: SQL, id: SQL) => sql`array(select (${id})::uuid from json_array_elements(${list}))`;

/** The attempts at sending deliveries. */
export function attempts(tx: Database): Attempts {
  return {
    async addAttempt(attempt) {
      await tx.insert(attemptTable).values(attempt);
    },

    async startHeldAttempts(attempts) {
      if (attempts.length === 0) return [];
      const started = sql`${JSON.stringify(attempts)}::json`;
      const rows = await rowsOf<{ id: string }>(
        tx,
        sql`insert into ${attemptTable} (id, delivery_id, started_at) select attempt.id, held.id, attempt."startedAt"
          from json_to_recordset(${started}) as attempt(id uuid, "deliveryId" uuid, "startedAt" timestamptz, "leaseToken" uuid)
          join ${deliveryTable} as held on held.id = attempt."deliveryId" and held.lease_token = attempt."leaseToken"
          where held.id = any(${idsIn(started, sql`value->>'deliveryId'`)}) returning id`,
      );
      return rows.map(({ id }) => id);
    },

    async endAttempts(ends) {
      if (ends.length === 0) return;
      const ended = sql`${JSON.stringify(ends)}::json`;
      await tx.execute(
        sql`update ${attemptTable} as stored set ended_at = ended."endedAt", outcome = ended.outcome, detail = ended.detail
          from json_to_recordset(${ended}) as ended(id uuid, "endedAt" timestamptz, outcome text, detail text)
          where stored.id = any(${idsIn(ended, sql`value->>'id'`)}) and stored.id = ended.id`,
      );
    },

    async listAttempts(deliveryId) {
      const rows = await tx
        .select()
        .from(attemptTable)
        .where(eq(attemptTable.deliveryId, deliveryId))
        .orderBy(asc(attemptTable.startedAt), asc(attemptTable.id));
      return rows.map(withoutNulls);
    },
  };
}
