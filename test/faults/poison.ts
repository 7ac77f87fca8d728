// R12: a contact whose mail server hangs, and a row that crashes each process that sends it, delay nobody else; the
// row is parked after five claims, and shown.
//   CRASHES=5 bun test/faults/poison.ts
import { sql } from "drizzle-orm";
import type { Product } from "../e2e/product.ts";
import { eventually } from "../e2e/product.ts";
import { atMost, type Finding, tell } from "./bench.ts";
import { openNews, percentile } from "./news.ts";

const HANGS = "hangs@example.org";
const KILLS = "kills@example.org";
const PEOPLE = 200;
/** The duration of a lease for each, plus a margin. */
const WITHIN_MS = 10 * 60_000;

/** Restarts the product as often as it is killed. */
async function supervised(start: () => Promise<Product>) {
  const state = { product: await start(), crashes: 0, isOver: false };
  let restarting: Promise<void> | undefined;
  return {
    state,
    /** As the row did to its process. */
    crash(): void {
      if (state.isOver || restarting) return;
      state.crashes += 1;
      restarting = state.product
        .kill()
        .then(start)
        .then((next) => {
          state.product = next;
          restarting = undefined;
        });
    },
    async end(): Promise<void> {
      state.isOver = true;
      await restarting;
    },
  };
}

export async function poison(crashes: number): Promise<Finding[]> {
  const news = await openNews();
  const { bench } = news;
  const supervisor = await supervised(() => bench.start(news.source));
  const others = Array.from({ length: PEOPLE }, (_, number) => `person${number}@example.org`);
  const everybody = [HANGS, ...(crashes > 0 ? [KILLS] : []), ...others];
  await news.enrol(everybody);
  const reports = sql`select count(*) from notifications.delivery where about->>'kind' = 'report' and state = 'sent'`;
  await eventually(
    "all reports are out",
    async () => (await news.count(reports)) >= everybody.length || undefined,
    WITHIN_MS,
  );

  bench.smtp.break({
    at: "rcpt",
    does: "hang",
    when([to = ""]) {
      if (to === KILLS) supervisor.crash();
      return to === HANGS || to === KILLS;
    },
  });
  news.publish("News", everybody);
  await news.alerts("sent", PEOPLE);
  const parked = sql`select count(*) from notifications.delivery
    where value = ${KILLS} and state = 'held' and reason = 'crash_loop'`;
  if (crashes > 0)
    await eventually("the row is parked", async () => (await news.count(parked)) === 1 || undefined, WITHIN_MS);
  await supervisor.end();
  const waits = await news.ask<{ seconds: number }>(sql`
    select extract(epoch from ended_at - created_at)::float8 as seconds from notifications.delivery
    where about->>'kind' = 'alert' and value not in (${HANGS}, ${KILLS}) and state = 'sent'`);
  const [hanging] = await news.ask<{ state: string; reason: string | null; claims: number; attempts: number }>(sql`
    select state, reason, claims, attempts from notifications.delivery
    where value = ${HANGS} and about->>'kind' = 'alert'`);
  const isTried = hanging?.state === "due" || hanging?.state === "sending";
  if (!isTried) console.error(HANGS, hanging);
  await news.close();
  const seconds = waits.map((row) => row.seconds);
  return [
    atMost("R12", "messages to others that did not go out", PEOPLE - seconds.length, 0),
    atMost("R12", "p95 of the seconds that others waited", percentile(seconds, 0.95), 60),
    atMost("R12", "messages to the contact that hangs that are not tried any more", isTried ? 0 : 1, 0),
    ...(crashes > 0
      ? [atMost("R12", "processes that the row took down before it was parked", supervisor.state.crashes, crashes)]
      : []),
  ];
}

if (import.meta.main) await tell(poison(Number(process.env.CRASHES ?? 5)));
