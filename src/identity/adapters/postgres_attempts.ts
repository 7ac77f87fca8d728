import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { listed } from "../../database/lists.ts";
import type { Database } from "../../database/postgres.ts";
import { rowsOf } from "../../database/snapshot.ts";
import type { AttemptRepository, Limit, Tried } from "../ports.ts";
import { attemptsTable } from "./tables.ts";

const ms = (count: number) => sql.raw(`interval '${Math.trunc(count)} milliseconds'`);

/** The rule `counted` of `attempts.ts`, as one statement that counts where `isTurn` holds. */
function counting(key: string, { tries: limit, windowMs, lockMs }: Limit, isTurn: SQL): SQL {
  const [tries, window, lock] = [sql.raw(String(Math.trunc(limit))), ms(windowMs), ms(lockMs)];
  const isOver = sql`stored.until <= excluded.until - ${window}`;
  return sql`insert into ${attemptsTable} as stored (key, tries, until)
    select ${key}::text, 1, moment.now + ${window} from moment where ${isTurn}
    on conflict (key) do update set
      tries = case when ${isOver} then 1 else least(stored.tries + 1, ${tries} + 1) end,
      until = case when ${isOver} then excluded.until
        when stored.tries + 1 = ${tries} then greatest(stored.until, excluded.until - ${window} + ${lock})
        else stored.until end
    returning stored.tries, stored.until, stored.tries <= ${tries} as allowed`;
}

/** The rules are `counted` and `givenBack` of `attempts.ts`. */
export function postgresAttempts(tx: Database): AttemptRepository {
  const { key, tries, until } = attemptsTable;

  async function countInTurn(list: { key: string; limit: Limit }[], now: Date): Promise<Tried[]> {
    if (list.length === 0) return [];
    const name = (place: number) => sql.raw(`try_${place}`);
    const steps = list.map(({ key, limit }, place) => {
      const isTurn = place === 0 ? sql`true` : sql`exists (select from ${name(place - 1)} where allowed)`;
      return sql`${name(place)} as (${counting(key, limit, isTurn)})`;
    });
    const answers = list.map(
      (_, place) => sql`select ${sql.raw(String(place))} as place, allowed, tries,
        (extract(epoch from until) * 1000)::double precision as until from ${name(place)}`,
    );
    const moment = sql`moment as (select ${now.toISOString()}::timestamptz as now)`;
    const rows = await rowsOf<{ allowed: boolean; tries: number; until: number }>(
      tx,
      sql`with ${sql.join([moment, ...steps], sql`, `)} ${sql.join(answers, sql` union all `)} order by place`,
    );
    return rows.map(({ allowed, tries, until }) => ({ allowed, tries, until: new Date(until) }));
  }

  const takingBack = (of: string, limit: Limit, now: Date) =>
    tx
      .update(attemptsTable)
      .set({
        tries: sql`greatest(${tries} - 1, 0)`,
        until: sql`least(${until}, ${sql.param(new Date(now.getTime() + limit.windowMs), until)})`,
      })
      .where(and(eq(key, of), lte(tries, limit.tries)));

  return {
    countInTurn,
    async count(key, limit, now) {
      const [tried] = await countInTurn([{ key, limit }], now);
      if (!tried) throw new Error("Cannot count an attempt: the database returned no row");
      return tried;
    },
    async giveBack(of, limit, now) {
      await takingBack(of, limit, now);
    },
    async succeed(back, over, now) {
      const isOver = sql`${key} = any(${listed(over)})`;
      if (!back) return void (await tx.delete(attemptsTable).where(isOver));
      const given = tx.$with("given").as(takingBack(back.key, back.limit, now).returning({ key }));
      // Asked for its count, so that its row is locked before the others.
      const isGiven = sql`(select count(*) from ${given}) >= 0`;
      await tx.with(given).delete(attemptsTable).where(and(isOver, isGiven));
    },
    async reset(of) {
      await tx.delete(attemptsTable).where(eq(key, of));
    },
    async removeExpired(now) {
      const over = tx.select({ key }).from(attemptsTable).where(lte(until, now));
      await tx.delete(attemptsTable).where(inArray(key, over.for("update", { skipLocked: true })));
    },
  };
}
