import { and, eq, inArray, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import { prepared, preparedRows } from "../../database/prepared.ts";
import type { AttemptRepository, Limit, Tried } from "../ports.ts";
import { attemptsTable } from "./tables.ts";

const ms = (count: number) => sql.raw(`interval '${Math.trunc(count)} milliseconds'`);

/** The rule `counted` of `attempts.ts`, as one statement that counts where `isTurn` holds. */
function counting(key: Placeholder, { tries: limit, windowMs, lockMs }: Limit, isTurn: SQL): SQL {
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

/** Limits are part of the text, and how many counters are over: there are as many statements as kinds of doors. */
function byLimits<Statement>(build: (limits: Limit[], over: number) => Statement) {
  const built = new Map<string, Statement>();
  return (limits: Limit[], over = 0): Statement => {
    const name = limits.map(({ tries, windowMs, lockMs }) => `${tries},${windowMs},${lockMs}`).join(";") + over;
    const statement = built.get(name) ?? build(limits, over);
    built.set(name, statement);
    return statement;
  };
}

const keyAt = (place: number) => `key${place}`;
const keysAt = (keys: string[]) => Object.fromEntries(keys.map((key, place) => [keyAt(place), key]));

const COUNT_IN_TURN = byLimits((limits) => {
  const name = (place: number) => sql.raw(`try_${place}`);
  const steps = limits.map((limit, place) => {
    const isTurn = place === 0 ? sql`true` : sql`exists (select from ${name(place - 1)} where allowed)`;
    return sql`${name(place)} as (${counting(sql.placeholder(keyAt(place)), limit, isTurn)})`;
  });
  const answers = limits.map(
    (_, place) => sql`select ${sql.raw(String(place))} as place, allowed, tries,
      (extract(epoch from until) * 1000)::double precision as until from ${name(place)}`,
  );
  const moment = sql`moment as (select ${sql.placeholder("now")}::timestamptz as now)`;
  return preparedRows<{ allowed: boolean; tries: number; until: number }>(
    sql`with ${sql.join([moment, ...steps], sql`, `)} ${sql.join(answers, sql` union all `)} order by place`,
  );
});

/** Of the one limit; of none where nothing is taken back. */
const SUCCEED = byLimits(([limit], over) =>
  prepared((database) => {
    const { key } = attemptsTable;
    // Each by itself: for a list, of which it knows no length, the planner reads all of a thousand counters.
    const keys = Array.from({ length: over }, (_, place) => sql`${sql.placeholder(keyAt(place))}`);
    const isOver = keys.length === 0 ? sql`false` : sql`${key} in (${sql.join(keys, sql`, `)})`;
    if (!limit) return database.delete(attemptsTable).where(isOver);
    const until = sql.param(sql.placeholder("until"), attemptsTable.until);
    const given = database
      .$with("given")
      .as(takingBack(database, { of: sql.placeholder("key"), limit, until }).returning({ key }));
    // Asked for its count, so that its row is locked before the others.
    const isGiven = sql`(select count(*) from ${given}) >= 0`;
    return database.with(given).delete(attemptsTable).where(and(isOver, isGiven));
  }),
);

function takingBack(
  database: Database,
  { of, limit, until: latest }: { of: string | Placeholder; limit: Limit; until: unknown },
) {
  const { key, tries, until } = attemptsTable;
  return database
    .update(attemptsTable)
    .set({ tries: sql`greatest(${tries} - 1, 0)`, until: sql`least(${until}, ${latest})` })
    .where(and(eq(key, of), lte(tries, limit.tries)));
}

/** The rules are `counted` and `givenBack` of `attempts.ts`. */
export function postgresAttempts(tx: Database): AttemptRepository {
  const { key, until } = attemptsTable;
  const latestOf = ({ windowMs }: Limit, now: Date) => new Date(now.getTime() + windowMs);

  async function countInTurn(list: { key: string; limit: Limit }[], now: Date): Promise<Tried[]> {
    if (list.length === 0) return [];
    const keys = keysAt(list.map(({ key }) => key));
    const rows = await COUNT_IN_TURN(list.map(({ limit }) => limit))(tx, { ...keys, now: now.toISOString() });
    return rows.map(({ allowed, tries, until }) => ({ allowed, tries, until: new Date(until) }));
  }

  return {
    countInTurn,
    async count(key, limit, now) {
      const [tried] = await countInTurn([{ key, limit }], now);
      if (!tried) throw new Error("Cannot count an attempt: the database returned no row");
      return tried;
    },
    async giveBack(of, limit, now) {
      await takingBack(tx, { of, limit, until: sql.param(latestOf(limit, now), until) });
    },
    async succeed(back, over, now) {
      const given = back && { key: back.key, until: latestOf(back.limit, now) };
      await SUCCEED(back ? [back.limit] : [], over.length)(tx, { ...given, ...keysAt(over) });
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
