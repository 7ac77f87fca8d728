import { and, asc, eq, getTableColumns, lte, sql } from "drizzle-orm";
import { listed, rowsIn, rowsOut } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import { SUSPECT_CLAIMS } from "../../delivery/delivery.ts";
import type { DeliveryRepository } from "../../ports.ts";
import { deliveryOf, type Row, rowOf } from "./delivery_rows.ts";
import { deliveryTable } from "./tables.ts";

/** The columns that change during delivery; the others stay as written. */
const FATE: (keyof Row)[] = [
  ...(["id", "sealed", "state", "reason", "runAt", "turn", "endedAt", "claims", "attempts", "failingSince"] as const),
  ...([
    "inDoubt",
    "providerId",
    "receipt",
    "acknowledgedAt",
    "wantedAt",
    "gatheredIn",
    "leaseToken",
    "leaseUntil",
  ] as const),
];
const SET = sql.join(
  FATE.slice(1).map((key) => {
    const name = sql.identifier(getTableColumns(deliveryTable)[key].name);
    return sql`${name} = next.${name}`;
  }),
  sql`, `,
);

const LOWEST_PRIORITY = 32_767;

/** Claiming deliveries, and recording their outcomes. */
export function claims(
  tx: Database,
): Pick<DeliveryRepository, "reclaimExpired" | "claimDue" | "renewLeases" | "replaceClaimed" | "replaceAllClaimed"> {
  return {
    async reclaimExpired(at) {
      const now = sql`${at.toISOString()}::timestamptz`;
      const isTried = sql`select 1 from ${deliveryTable}
        where state = 'sending' and lease_until >= ${now} and claims > ${SUSPECT_CLAIMS}`;
      const taken = await rowsOf(
        tx,
        sql`with left_behind as materialized (select id, claims, lane, lease_until from ${deliveryTable}
          where state = 'sending' and lease_until < ${now} for update skip locked),
        suspect as (select id from left_behind where claims >= ${SUSPECT_CLAIMS} and not exists (${isTried})
          order by lane, lease_until, id limit 1)
        update ${deliveryTable} set state = 'due', in_doubt = true, lease_token = null, lease_until = null
          where id in (select id from left_behind where claims < ${SUSPECT_CLAIMS} union all select id from suspect)
          returning id`,
      );
      return taken.length;
    },

    async claimDue(channels, limit, now, leaseUntil, lowestPriority = LOWEST_PRIORITY) {
      // The row locks force materialisation, so that the limit holds for any plan.
      const due = tx.$with("due").as(
        tx
          .select({ id: deliveryTable.id })
          .from(deliveryTable)
          .where(
            and(
              // Literally as in the partial index, so that generic plans can use it.
              sql`${deliveryTable.state} = 'due'`,
              lte(deliveryTable.runAt, now),
              sql`${deliveryTable.channel} = any(${listed(channels)})`,
              lte(deliveryTable.lane, lowestPriority),
            ),
          )
          .orderBy(asc(deliveryTable.lane), asc(deliveryTable.turn), asc(deliveryTable.id))
          .limit(limit)
          .for("update", { skipLocked: true }),
      );
      const claimed = tx.$with("claimed").as(
        tx
          .update(deliveryTable)
          .set({
            state: "sending",
            claims: sql`${deliveryTable.claims} + 1`,
            leaseToken: sql`gen_random_uuid()`,
            leaseUntil,
          })
          .where(sql`${deliveryTable.id} in (select id from ${due})`)
          .returning(),
      );
      const [row] = await tx
        .with(due, claimed)
        .select({ rows: rowsOut(deliveryTable, sql`select * from ${claimed}`) })
        .from(sql`(select 1) as one`);
      return (row?.rows ?? [])
        .map(deliveryOf)
        .sort((one, other) => one.lane - other.lane || one.turn.getTime() - other.turn.getTime());
    },

    async renewLeases(leases, leaseUntil) {
      if (leases.length === 0) return;
      const ids = listed(
        leases.map(({ id }) => id),
        "uuid",
      );
      await tx.execute(
        sql`update ${deliveryTable} as stored set lease_until = ${leaseUntil.toISOString()}::timestamptz,
            claims = case when lease."isSlow" then least(stored.claims, ${SUSPECT_CLAIMS}) else stored.claims end
          from json_to_recordset(${JSON.stringify(leases)}::json) as lease(id uuid, "leaseToken" uuid, "isSlow" boolean)
          where stored.id = any(${ids}) and stored.id = lease.id and stored.lease_token = lease."leaseToken"`,
      );
    },

    async replaceClaimed(leaseToken, delivery) {
      const held = and(eq(deliveryTable.id, delivery.id), eq(deliveryTable.leaseToken, leaseToken));
      const replaced = await tx
        .update(deliveryTable)
        .set(rowOf(delivery))
        .where(held)
        .returning({ id: deliveryTable.id });
      return replaced.length === 1;
    },

    async replaceAllClaimed(claims) {
      if (claims.length === 0) return [];
      const next = claims.map(({ delivery }) => rowOf(delivery));
      const held = JSON.stringify(claims.map(({ leaseToken, delivery: { id } }) => ({ id, token: leaseToken })));
      const ids = listed(
        claims.map(({ delivery: { id } }) => id),
        "uuid",
      );
      const replaced = await rowsOf<{ id: string }>(
        tx,
        sql`update ${deliveryTable} as stored set ${SET} from ${rowsIn(deliveryTable, next, FATE).rows} as next join json_to_recordset(${held}::json) as claim(id uuid, token uuid) using (id)
          where stored.id = any(${ids}) and stored.id = next.id and stored.lease_token = claim.token returning stored.id`,
      );
      return replaced.map(({ id }) => id);
    },
  };
}
