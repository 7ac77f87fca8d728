import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import type { AttemptRepository, Ending, Limit } from "../../ports.ts";
import { momentOf, PLACE_MS } from "../../sign_in/attempts.ts";
import { attemptsTable } from "./tables.ts";

type Counter = { key: string; limit: Limit };

const ms = (count: number) => sql.raw(`interval '${Math.trunc(count)} milliseconds'`);
const UNTIL = sql`(extract(epoch from until) * 1000)::double precision as until`;

/** The reservations of a row that have not expired. */
const livingOf = (reserved: SQL, moment: SQL) =>
  sql`select one from unnest(${reserved}) as one where one collate "C" > ${moment}`;

/** Counts one more attempt in one statement, where `isTurn` holds. Beyond the limit the count stays one above it. */
function counting({ key, limit }: Counter, place: string, isTurn: SQL): SQL {
  const [tries, window, lock] = [sql.raw(String(Math.trunc(limit.tries))), ms(limit.windowMs), ms(limit.lockMs)];
  const isOver = sql`(stored.tries = 0 or stored.until <= excluded.until - ${window})`;
  return sql`insert into ${attemptsTable} as stored (key, tries, until)
    select ${key}::text, 1, moment.now + ${window} from moment where ${isTurn}
    on conflict (key) do update set
      tries = case when ${isOver} then 1 else least(stored.tries + 1, ${tries} + 1) end,
      until = case when ${isOver} then excluded.until
        when stored.tries + 1 = ${tries} then greatest(stored.until, excluded.until - ${window} + ${lock})
        else stored.until end,
      reserved = array_remove(stored.reserved, ${place}::text)
    returning stored.tries, stored.until, stored.tries <= ${tries} as allowed`;
}

/** Adds a reservation, in the same form, if wrong guesses and other reservations leave room. */
function reserving({ key, limit }: Counter, { place, moment }: { place: string; moment: string }, isTurn: SQL): SQL {
  const held = ms(PLACE_MS);
  const isOver = sql`(stored.tries = 0 or stored.until <= excluded.until - ${held})`;
  const tries = sql`case when ${isOver} then 0 else stored.tries end`;
  const living = sql`array(${livingOf(sql`stored.reserved`, sql`${moment}::text`)})`;
  const isFree = sql`(${tries}) + cardinality(${living}) < ${sql.raw(String(Math.trunc(limit.tries)))}`;
  return sql`insert into ${attemptsTable} as stored (key, tries, until, reserved)
    select ${key}::text, 0, moment.now + ${held}, array[${place}::text] from moment where ${isTurn}
    on conflict (key) do update set
      tries = ${tries},
      until = case when ${isOver} then excluded.until else stored.until end,
      reserved = ${living} || case when ${isFree} then excluded.reserved else '{}'::text[] end
    returning stored.tries, stored.until, ${place}::text = any(stored.reserved) as reserved`;
}

function ending({ ending, ...counter }: Counter & { ending: Ending }, place: string, isTurn: SQL): SQL {
  if (ending === "wrong") return counting(counter, place, isTurn);
  const tries = ending === "cleared" ? sql`0` : sql`stored.tries`;
  return sql`update ${attemptsTable} as stored
    set tries = ${tries}, reserved = array_remove(stored.reserved, ${place}::text)
    where stored.key = ${counter.key}::text and ${isTurn}
    returning stored.tries, stored.until, true as allowed`;
}

const step = (index: number) => sql.raw(`step_${index}`);

/** One statement for all steps; each depends on the one before, so that rows are locked in order. */
function chained(now: Date, steps: SQL[], answer: SQL): SQL {
  const moment = sql`moment as (select ${now.toISOString()}::timestamptz as now)`;
  const parts = [moment, ...steps.map((each, index) => sql`${step(index)} as (${each})`)];
  return sql`with ${sql.join(parts, sql`, `)} ${answer}`;
}

export function postgresAttempts(tx: Database): AttemptRepository {
  const { key, tries, until, reserved } = attemptsTable;
  return {
    async count(of, limit, now) {
      const counted = chained(
        now,
        [counting({ key: of, limit }, "", sql`true`)],
        sql`select allowed, tries, ${UNTIL} from ${step(0)}`,
      );
      const [tried] = await rowsOf<{ allowed: boolean; tries: number; until: number }>(tx, counted);
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
      const moment = momentOf(now);
      const steps = counters.map((counter, index) => {
        const isTurn = index === 0 ? sql`true` : sql`exists (select from ${step(index - 1)} where reserved)`;
        return reserving(counter, { place, moment }, isTurn);
      });
      const answers = counters.map(
        (_, index) => sql`select ${sql.raw(String(index))} as place, reserved, tries, ${UNTIL} from ${step(index)}`,
      );
      const rows = await rowsOf<{ reserved: boolean; tries: number; until: number }>(
        tx,
        chained(now, steps, sql`${sql.join(answers, sql` union all `)} order by place`),
      );
      return rows.map(({ reserved, tries, until }) => ({ reserved, tries, until: new Date(until) }));
    },
    async conclude(counters, place, now) {
      const steps = counters.map((counter, index) => {
        const isTurn = index === 0 ? sql`true` : sql`(select count(*) from ${step(index - 1)}) >= 0`;
        return ending(counter, place, isTurn);
      });
      const last = sql`select tries from ${step(counters.length - 1)}`;
      const [row] = await rowsOf<{ tries: number }>(tx, chained(now, steps, last));
      return row?.tries;
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
