import { and, eq, inArray, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { preparedRows } from "../../../database/prepared.ts";
import type { AttemptRepository, Ending, Limit } from "../../ports.ts";
import { momentOf, PLACE_MS } from "../../sign_in/attempts.ts";
import { attemptsTable } from "./tables_attempts.ts";

const ms = (count: number) => sql.raw(`interval '${Math.trunc(count)} milliseconds'`);
const MOMENT = sql`moment as (select ${sql.placeholder("now")}::timestamptz as now)`;
const PLACE = sql`${sql.placeholder("place")}::text`;
const UNTIL = sql`(extract(epoch from until) * 1000)::double precision as until`;

/** The reservations of a row that have not expired. */
const livingOf = (reserved: SQL, moment: SQL) =>
  sql`select one from unnest(${reserved}) as one where one collate "C" > ${moment}`;

/** The rule `counted` of `attempts.ts` as one statement, applied where `isTurn` holds. */
function counting(key: Placeholder, { tries: limit, windowMs, lockMs }: Limit, isTurn: SQL): SQL {
  const [tries, window, lock] = [sql.raw(String(Math.trunc(limit))), ms(windowMs), ms(lockMs)];
  const isOver = sql`(stored.tries = 0 or stored.until <= excluded.until - ${window})`;
  return sql`insert into ${attemptsTable} as stored (key, tries, until)
    select ${key}::text, 1, moment.now + ${window} from moment where ${isTurn}
    on conflict (key) do update set
      tries = case when ${isOver} then 1 else least(stored.tries + 1, ${tries} + 1) end,
      until = case when ${isOver} then excluded.until
        when stored.tries + 1 = ${tries} then greatest(stored.until, excluded.until - ${window} + ${lock})
        else stored.until end,
      reserved = array_remove(stored.reserved, ${PLACE})
    returning stored.tries, stored.until, stored.tries <= ${tries} as allowed`;
}

/** The rule `reserving` of `attempts.ts`, in the same form. */
function reserving(key: Placeholder, { tries: limit }: Limit, isTurn: SQL): SQL {
  const held = ms(PLACE_MS);
  const isOver = sql`(stored.tries = 0 or stored.until <= excluded.until - ${held})`;
  const tries = sql`case when ${isOver} then 0 else stored.tries end`;
  const living = sql`array(${livingOf(sql`stored.reserved`, sql`${sql.placeholder("moment")}::text`)})`;
  const isFree = sql`(${tries}) + cardinality(${living}) < ${sql.raw(String(Math.trunc(limit)))}`;
  return sql`insert into ${attemptsTable} as stored (key, tries, until, reserved)
    select ${key}::text, 0, moment.now + ${held}, array[${PLACE}] from moment where ${isTurn}
    on conflict (key) do update set
      tries = ${tries},
      until = case when ${isOver} then excluded.until else stored.until end,
      reserved = ${living} || case when ${isFree} then excluded.reserved else '{}'::text[] end
    returning stored.tries, stored.until, ${PLACE} = any(stored.reserved) as reserved`;
}

function ending(key: Placeholder, { limit, ending }: { limit: Limit; ending: Ending }, isTurn: SQL): SQL {
  if (ending === "wrong") return counting(key, limit, isTurn);
  const tries = ending === "cleared" ? sql`0` : sql`stored.tries`;
  return sql`update ${attemptsTable} as stored
    set tries = ${tries}, reserved = array_remove(stored.reserved, ${PLACE})
    where stored.key = ${key}::text and ${isTurn}
    returning stored.tries, stored.until, true as allowed`;
}

/** Limits and outcomes are part of the text, so one statement is prepared for each combination of counters. */
function byKind<Kind, Statement>(build: (kinds: Kind[]) => Statement) {
  const built = new Map<string, Statement>();
  return (kinds: Kind[]): Statement => {
    const name = JSON.stringify(kinds);
    const statement = built.get(name) ?? build(kinds);
    built.set(name, statement);
    return statement;
  };
}

const keyAt = (place: number) => `key${place}`;
const keysOf = (counters: { key: string }[]) =>
  Object.fromEntries(counters.map(({ key }, place) => [keyAt(place), key]));
const limitOf = ({ limit: { tries, windowMs, lockMs } }: { limit: Limit }): Limit => ({ tries, windowMs, lockMs });
const step = (place: number) => sql.raw(`step_${place}`);

/** One statement for all steps; each depends on the one before, so that rows are locked in order. */
function chained(steps: SQL[]): SQL {
  return sql.join([MOMENT, ...steps.map((each, place) => sql`${step(place)} as (${each})`)], sql`, `);
}

const COUNT = byKind(([limit]: Limit[]) =>
  preparedRows<{ allowed: boolean; tries: number; until: number }>(
    sql`with ${MOMENT}, step_0 as (${limit && counting(sql.placeholder(keyAt(0)), limit, sql`true`)})
      select allowed, tries, ${UNTIL} from step_0`,
  ),
);

const RESERVE = byKind((limits: Limit[]) => {
  const steps = limits.map((limit, place) => {
    const isTurn = place === 0 ? sql`true` : sql`exists (select from ${step(place - 1)} where reserved)`;
    return reserving(sql.placeholder(keyAt(place)), limit, isTurn);
  });
  const answers = limits.map(
    (_, place) => sql`select ${sql.raw(String(place))} as place, reserved, tries, ${UNTIL} from ${step(place)}`,
  );
  return preparedRows<{ reserved: boolean; tries: number; until: number }>(
    sql`with ${chained(steps)} ${sql.join(answers, sql` union all `)} order by place`,
  );
});

const SETTLE = byKind((kinds: { limit: Limit; ending: Ending }[]) => {
  const steps = kinds.map((kind, place) => {
    const isTurn = place === 0 ? sql`true` : sql`(select count(*) from ${step(place - 1)}) >= 0`;
    return ending(sql.placeholder(keyAt(place)), kind, isTurn);
  });
  return preparedRows<{ tries: number }>(sql`with ${chained(steps)} select tries from ${step(kinds.length - 1)}`);
});

/** Implements the rules of `attempts.ts`. */
export function postgresAttempts(tx: Database): AttemptRepository {
  const { key, tries, until, reserved } = attemptsTable;
  return {
    async count(of, limit, now) {
      const [tried] = await COUNT([limitOf({ limit })])(tx, { key0: of, place: "", now: now.toISOString() });
      if (!tried) throw new Error("Cannot count an attempt: the database returned no row");
      return { ...tried, until: new Date(tried.until) };
    },
    async giveBack(of, limit, now) {
      const latest = sql.param(new Date(now.getTime() + limit.windowMs), until);
      await tx
        .update(attemptsTable)
        .set({ tries: sql`greatest(${tries} - 1, 0)`, until: sql`least(${until}, ${latest})` })
        .where(and(eq(key, of), lte(tries, limit.tries)));
    },
    async reserve(counters, place, now) {
      const values = { ...keysOf(counters), place, moment: momentOf(now), now: now.toISOString() };
      const rows = await RESERVE(counters.map(limitOf))(tx, values);
      return rows.map(({ reserved, tries, until }) => ({ reserved, tries, until: new Date(until) }));
    },
    async conclude(counters, place, now) {
      const kinds = counters.map(({ limit, ending }) => ({ limit: limitOf({ limit }), ending }));
      const [last] = await SETTLE(kinds)(tx, { ...keysOf(counters), place, now: now.toISOString() });
      return last?.tries;
    },
    async reset(of) {
      await tx.delete(attemptsTable).where(eq(key, of));
    },
    async removeExpired(now) {
      const isFree = sql`not exists (${livingOf(sql`${reserved}`, sql`${momentOf(now)}::text`)})`;
      const over = tx
        .select({ key })
        .from(attemptsTable)
        .where(and(lte(until, now), isFree));
      await tx.delete(attemptsTable).where(inArray(key, over.for("update", { skipLocked: true })));
    },
  };
}
