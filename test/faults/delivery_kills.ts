// R1, R2: `kill -9` at random times of processes of the product, from the newest breach to the mail server's
// acceptance. No alert is lost, and nothing is sent twice unless the delivery log marks it as in doubt, with the same
// Message-ID.
//   KILLS=500 DELIVERIES=5000 KINDS=postgres,pglite,unanswered SEED=7 bun test/faults/delivery_kills.ts
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { freePort } from "../support/ports.ts";
import type { SmtpFault } from "../support/smtp_peer.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { isSettled, judge, keptIn, type Sent } from "./ledger.ts";
import { begin, openWorld, type World } from "./lives.ts";
import { enrolPeople } from "./people.ts";
import { randomOf } from "./scan_kills.ts";

const LATEST_KILL_MS = 4000;
/** The leases of killed processes last a minute. */
const SENDS_WITHIN_MS = 75_000;
/** Publishes some of the breaches at a time, so that there is work while the leases of a killed process last. */
const WAVES = 4;
/** The number that one process sends concurrently. */
const AT_ONCE = 5;
/** Past every lease, and every first retry of deliveries in doubt. */
const SETTLES_WITHIN_MS = 15 * 60_000;
const ACCEPTS_AFTER_MS = 40;
const LOOKS_AGAIN_MS = 15_000;

export type DeliveryKills = {
  database: "postgres" | "pglite";
  kills: number;
  people: number;
  /** Each affects all people, one breach after the other. */
  breaches: number;
  seed: number;
  /** The share of mails whose response is lost after they were accepted. */
  unanswered: number;
};

/** What the mail server does to a response: always slightly delayed, sometimes lost. */
function faultOf(lost: number, random: () => number): (end: "drop" | "hang") => SmtpFault {
  return (does) =>
    lost === 0
      ? { at: "accepted", does: { lateMs: ACCEPTS_AFTER_MS } }
      : { at: "accepted", does, when: () => random() < lost };
}

/** Starts and kills processes until there were enough kills; the breaches are published meanwhile. */
async function killAll(world: World, { database, kills, people, breaches, seed, unanswered }: DeliveryKills) {
  const random = randomOf(seed);
  const fault = faultOf(unanswered, randomOf(seed + 1));
  const emails = Array.from({ length: people }, (_, number) => `person${number}@example.org`);
  await world.during((opened) => enrolPeople(opened, emails));
  for (const email of emails) world.hibp.addAccount(email, []);
  // The first reports are sent without kills: everything published afterwards is an alert for everybody.
  await settle(world, { database, people, breaches: 0 });
  world.smtp.break(fault("drop"));
  let [published, begun] = [0, 0];
  function publishDue(): void {
    const wave = Math.ceil((WAVES * begun) / kills);
    for (; published * WAVES < breaches * wave; published++) {
      const names = Array.from({ length: published + 1 }, (_, number) => `News${number}`);
      for (const email of emails) world.hibp.addAccount(email, names);
      world.hibp.publish({ Name: `News${published}` });
    }
    if (wave * 2 > WAVES) world.smtp.break(fault("hang"));
  }
  /** Half of them at any time of their life; the others while they send, as long as there is something to send. */
  async function untilItsEnd(): Promise<void> {
    const isSending = random() < 0.5 && world.sent.length < people * (published + 1);
    const end = performance.now() + (isSending ? SENDS_WITHIN_MS : random() * LATEST_KILL_MS);
    const mails = world.sent.length + 1 + Math.floor((random() * 2 * people * breaches) / kills);
    while (performance.now() < end && world.sent.length < mails) await Bun.sleep(5);
    await Bun.sleep(random() * 2 * ACCEPTS_AFTER_MS);
  }
  const lane = async () => {
    const port = await freePort();
    while (begun < kills) {
      begun += 1;
      publishDue();
      const life = await begin(world, port);
      await untilItsEnd();
      await life.kill();
    }
  };
  await Promise.all(Array.from({ length: database === "postgres" ? 2 : 1 }, lane));
}

/** The last process finishes everything; parked deliveries are released. */
async function settle(
  world: World,
  { database, people, breaches }: Pick<DeliveryKills, "database" | "people" | "breaches">,
): Promise<{ parked: number }> {
  const port = await freePort();
  let parked = 0;
  const isOver = async (opened: PostgresDatabase) => {
    parked += await opened.transactionOf(postgresNotifications)(({ deliveries }) =>
      deliveries.releaseHeld("crash_loop", undefined, opened.now()),
    );
    return isSettled(await keptIn(opened.transactionOf((tx: Database) => tx)), { people, breaches });
  };
  const looks = async () => {
    if (database === "postgres") return world.during(isOver);
    // Nobody else can read an embedded database: the process is left alone between two checks.
    const life = await begin(world, port);
    await Bun.sleep(LOOKS_AGAIN_MS);
    await life.kill();
    return world.during(isOver);
  };
  const life = database === "postgres" ? await begin(world, port) : undefined;
  const from = performance.now();
  while (!(await looks()) && performance.now() - from < SETTLES_WITHIN_MS) await Bun.sleep(1000);
  await life?.kill();
  return { parked };
}

export async function deliveryKills(
  options: DeliveryKills,
  spoil?: (database: PostgresDatabase, sent: Sent[]) => Promise<void>,
): Promise<Finding[]> {
  const { database, kills, people, breaches, seed, unanswered } = options;
  const goal = unanswered > 0 ? "R2" : "R1";
  const world = await openWorld(database);
  await killAll(world, options);
  const { parked } = await settle(world, options);
  const { kept, cut } = await world.during(async (opened) => {
    await spoil?.(opened, world.sent);
    const plain = opened.transactionOf((tx: Database) => tx);
    const open = await plain((tx) =>
      rowsOf<{ id: string }>(tx, sql`select id from notifications.attempt where ended_at is null`),
    );
    return { kept: await keptIn(plain), cut: open.length };
  });
  await world.stop();
  const found = judge(kept, world.sent, { people, breaches });
  for (const line of [...found.lost, ...found.unflagged, ...found.renamed].slice(0, 20)) console.error(line);
  const on = `${database}, ${kills} kills, seed ${seed}`;
  return [
    atMost(goal, `${on}: lost of ${kept.rows.length} deliveries`, found.lost.length, 0),
    atMost(goal, `${on}: sent twice without being in doubt`, found.unflagged.length, 0),
    atMost(goal, `${on}: sent again under another Message-ID`, found.renamed.length, 0),
    ...(goal === "R1"
      ? [
          atMost(goal, `${on}: sent once more, all in doubt`, found.extra, kills * AT_ONCE),
          atLeast(goal, `${on}: sends that a kill cut short`, cut, 1),
        ]
      : [atLeast(goal, `${on}: sent once more, all in doubt`, found.extra, 1)]),
    atMost(goal, `${on}: parked for the operator, and let go on`, parked, kept.rows.length * 0.01),
  ];
}

async function all(): Promise<Finding[]> {
  const { KILLS = "500", DELIVERIES = "5000", SEED = "1", KINDS = "postgres,pglite,unanswered" } = process.env;
  const [kills, deliveries, seed] = [Number(KILLS), Number(DELIVERIES), Number(SEED)];
  const breaches = Math.max(2, Math.round(deliveries / 250));
  const whole = { kills, people: Math.ceil(deliveries / breaches), breaches, seed, unanswered: 0 };
  const small = { ...whole, kills: Math.ceil(kills / 10), people: Math.ceil(whole.people / 5), breaches: 4 };
  const kinds: Record<string, DeliveryKills> = {
    postgres: { ...whole, database: "postgres" },
    pglite: { ...small, database: "pglite" },
    unanswered: { ...small, database: "postgres", unanswered: 0.05 },
  };
  const findings: Finding[] = [];
  for (const name of KINDS.split(",")) {
    const kind = kinds[name];
    if (!kind) throw new Error(`KINDS has no "${name}"`);
    findings.push(...(await deliveryKills(kind)));
  }
  return findings;
}

if (import.meta.main) await tell(all());
