import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { preparedRows } from "../../../database/prepared.ts";
import type { Attempt, DeliveryRepository } from "../../ports.ts";
import { attemptTable, deliveryTable } from "./tables.ts";

type Attempts = Pick<
  DeliveryRepository,
  "startAttempt" | "startHeldAttempts" | "endAttempt" | "endAttempts" | "listAttempts"
>;

export function attemptOf({ endedAt, outcome, detail, ...row }: typeof attemptTable.$inferSelect): Attempt {
  return { ...row, endedAt: endedAt ?? undefined, outcome: outcome ?? undefined, detail: detail ?? undefined };
}

const STARTED = sql`${sql.placeholder("started")}::json`;
/** As an array, so that rows are looked up by id: for a join the planner would scan the whole table while it is small. */
const idsIn = (list: SQL, id: SQL) => sql`array(select (${id})::uuid from json_array_elements(${list}))`;
const START_HELD = preparedRows<{ id: string }>(
  sql`insert into ${attemptTable} (id, delivery_id, started_at) select attempt.id, held.id, attempt."startedAt"
    from json_to_recordset(${STARTED}) as attempt(id uuid, "deliveryId" uuid, "startedAt" timestamptz, "leaseToken" uuid)
    join ${deliveryTable} as held on held.id = attempt."deliveryId" and held.lease_token = attempt."leaseToken"
    where held.id = any(${idsIn(STARTED, sql`value->>'deliveryId'`)}) returning id`,
);
const ENDED = sql`${sql.placeholder("ended")}::json`;
const END = preparedRows(
  sql`update ${attemptTable} as stored set ended_at = ended."endedAt", outcome = ended.outcome, detail = ended.detail
    from json_to_recordset(${ENDED}) as ended(id uuid, "endedAt" timestamptz, outcome text, detail text)
    where stored.id = any(${idsIn(ENDED, sql`value->>'id'`)}) and stored.id = ended.id`,
);

/** The attempts at sending deliveries. */
export function attempts(tx: Database): Attempts {
  return {
    async startAttempt(attempt) {
      await tx.insert(attemptTable).values(attempt);
    },

    async startHeldAttempts(attempts) {
      if (attempts.length === 0) return [];
      const started = await START_HELD(tx, { started: JSON.stringify(attempts) });
      return started.map(({ id }) => id);
    },

    async endAttempts(ends) {
      if (ends.length === 0) return;
      await END(tx, { ended: JSON.stringify(ends) });
    },

    async endAttempt(id, end) {
      await tx.update(attemptTable).set(end).where(eq(attemptTable.id, id));
    },

    async listAttempts(deliveryId) {
      const rows = await tx
        .select()
        .from(attemptTable)
        .where(eq(attemptTable.deliveryId, deliveryId))
        .orderBy(asc(attemptTable.startedAt), asc(attemptTable.id));
      return rows.map(attemptOf);
    },
  };
}
