// `kill -9` at random times of sync and scan, with two sources: each alert is always raised and announced exactly once.
//   KILLS=50 SEED=7 bun test/faults/scan_kills.ts
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { temporaryDirectory } from "../e2e/product.ts";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";
import { createDatabase, startPostgresServer } from "../support/postgres_server.ts";
import { startXposedOrNotPeer, type XposedOrNotPeer } from "../support/xposedornot_peer.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { engine, openDatabase, type Place } from "./scan_worker.ts";

const PEOPLE = 60;
const LATEST_KILL_MS = 1500;
/** Past every lease and every pause of the previous process. */
const STEP_MS = 2 * 3_600_000;

export type KillOptions = { kills: number; seed: number; database: "postgres" | "pglite" };
export type KillReport = KillOptions & {
  alerts: number;
  lost: string[];
  doubled: string[];
  /** Kills that hit a process in the middle of its work, not before or after it. */
  met: number;
  seconds: number;
};

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Engine = ReturnType<typeof engine>;
type Peers = { hibp: HibpPeer; xposedOrNot: XposedOrNotPeer };
type Person = { address: string; accountId: string; associationId: string };

/** The breaches of each person, by our names: one that both sources know is one breach. */
function exposuresOf(number: number, rounds: number): { hibp: string[]; xposedOrNot: string[]; kept: string[] } {
  const both = Array.from({ length: rounds }, (_, round) => `Both${round}`).filter(
    (_, round) => (number + round) % 3 === 0,
  );
  const only = Array.from({ length: rounds }, (_, round) => `Only${round}`).filter(
    (_, round) => (number + round) % 5 === 0,
  );
  const old = number % 2 === 0 ? ["Adobe", "LinkedIn"] : ["Dropbox"];
  return {
    hibp: [...old, ...both],
    xposedOrNot: [...(number % 4 === 0 ? old : []), ...both, ...only],
    kept: [...old, ...both, ...only.map((name) => `xposedornot:${name}`)].toSorted(),
  };
}

/** Two more breaches: one that both sources list, and one that only XposedOrNot knows. */
function publish({ hibp, xposedOrNot }: Peers, round: number): void {
  const [both, only] = [`Both${round}`, `Only${round}`];
  const breachDate = `2026-08-${String((round % 28) + 1).padStart(2, "0")}`;
  const added = new Date(Date.UTC(2026, 8, 1, round)).toISOString();
  hibp.publish({ Name: both, Domain: `${both.toLowerCase()}.example`, BreachDate: breachDate });
  for (const name of [both, only])
    xposedOrNot.publish({
      breachID: name,
      domain: `${name.toLowerCase()}.example`,
      breachedDate: `${breachDate}T00:00:00+00:00`,
      addedDate: added.replace("Z", "+00:00"),
      sensitive: false,
      verified: true,
    });
}

/** Starts the engine in a separate process, and kills it at a random time. */
async function liveAndDie(place: Place, delayMs: number): Promise<void> {
  const worker = Bun.spawn([process.execPath, join(import.meta.dirname, "scan_worker.ts"), JSON.stringify(place)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = worker.stdout.getReader();
  const { value } = await output.read();
  if (!new TextDecoder().decode(value).startsWith("ready")) throw new Error("The engine did not start");
  await Bun.sleep(delayMs);
  worker.kill("SIGKILL");
  await worker.exited;
}

type Check = { people: Person[]; rounds: number };

/** Compares what is stored and announced with the sources. */
async function compare({ transaction, plain }: Engine, { people, rounds }: Check) {
  const { lost, doubled }: { lost: string[]; doubled: string[] } = { lost: [], doubled: [] };
  const events = await plain((tx) => tx.select({ event: sql<Announcement>`event` }).from(sql`events.outbox`));
  const announced = new Map<string, number>();
  for (const id of events.flatMap(({ event }) => idsOf(event))) announced.set(id, (announced.get(id) ?? 0) + 1);
  let count = 0;
  for (const [number, { associationId, address }] of people.entries()) {
    const stored = await transaction(({ alerts }) => alerts.listByAssociation(associationId, new Date(0), 10_000));
    const names = stored.map(({ breachName }) => breachName).toSorted();
    const { kept } = exposuresOf(number, rounds);
    lost.push(...kept.filter((name) => !names.includes(name)).map((name) => `${address} ${name}: no alert`));
    const twice = names.filter((name, index) => names.indexOf(name) !== index || !kept.includes(name));
    doubled.push(...twice.map((name) => `${address} ${name}: an alert too many`));
    for (const { id, breachName } of stored) {
      const times = announced.get(id) ?? 0;
      if (times === 0) lost.push(`${address} ${breachName}: announced to nobody`);
      if (times > 1) doubled.push(`${address} ${breachName}: announced ${times} times`);
      announced.delete(id);
    }
    count += stored.length;
  }
  doubled.push(...[...announced.keys()].map((id) => `${id}: announced, and no alert any more`));
  return { lost, doubled, alerts: count };
}

type Announcement = { type: string; alertIds?: string[]; alerts?: { alertId: string }[] };

function idsOf({ type, alertIds = [], alerts = [] }: Announcement): string[] {
  if (type === "breaches.baselineReady") return alertIds;
  return type === "breaches.alertsRaised" ? alerts.map(({ alertId }) => alertId) : [];
}

async function started(options: KillOptions) {
  const hibp = await startHibpPeer({ subscription: { Rpm: 60_000 } });
  const xposedOrNot = await startXposedOrNotPeer();
  const server = options.database === "postgres" ? await startPostgresServer() : undefined;
  const database = server ? await createDatabase(server.url) : join(temporaryDirectory(), "database");
  const placeAt = (life: number): Place => ({
    hibp: { url: hibp.url, apiKey: hibp.apiKey },
    xposedOrNot: xposedOrNot.url,
    database,
    offsetMs: life * STEP_MS,
  });
  return {
    hibp,
    xposedOrNot,
    placeAt,
    async open(life: number) {
      // Reads the results, on a machine that is busy with the processes it kills.
      const opened = await openDatabase(database, { deadlineMs: 60_000 });
      return { ...engine(opened.database, placeAt(life)), close: opened.close };
    },
    async stop() {
      await hibp.stop();
      await xposedOrNot.stop();
      await server?.stop();
    },
  };
}

/**
 * Starts and kills two processes (one on the embedded database) until there were enough kills; then compares the
 * results.
 */
export async function scanKills(options: KillOptions, spoil?: (engine: Engine) => Promise<void>): Promise<KillReport> {
  const from = performance.now();
  const random = randomOf(options.seed);
  const world = await started(options);
  const workers = options.database === "postgres" ? 2 : 1;
  const rounds = Math.ceil(options.kills / workers);
  const people = Array.from({ length: PEOPLE }, (_, number): Person => {
    const address = `person${number}@example.org`;
    const { hibp, xposedOrNot } = exposuresOf(number, rounds);
    world.hibp.addAccount(address, hibp);
    world.xposedOrNot.addAccount(address, xposedOrNot);
    return { address, accountId: crypto.randomUUID(), associationId: crypto.randomUUID() };
  });
  const first = await world.open(0);
  for (const person of people)
    await first.breaches.onMonitoringStarted({
      type: "tracking.monitoringStarted",
      ...person,
      scope: { details: true, sensitive: true },
    });
  await first.close();

  let met = 0;
  for (let round = 0; round < rounds; round++) {
    publish(world, round);
    const asked = () => world.hibp.requests.length + world.xposedOrNot.requests.length;
    const before = asked();
    const delays = Array.from({ length: workers }, () => Math.floor(random() * LATEST_KILL_MS));
    await Promise.all(delays.map((delay) => liveAndDie(world.placeAt(round + 1), delay)));
    if (asked() > before) met += workers;
  }
  const last = await world.open(rounds + 1);
  for (const source of last.sources) await last.breaches.pollCatalogue(source);
  for (const source of [...last.sources, ...last.sources]) await last.breaches.scanDue(source);
  const due = (await last.breaches.sourcesHealth()).reduce((sum, health) => sum + health.due, 0);
  if (due > 0) throw new Error(`${due} checks are still due: ${last.reports.join(", ")}`);
  await spoil?.(last);
  const found = await compare(last, { people, rounds });
  await last.close();
  await world.stop();
  return { ...options, ...found, met, seconds: Math.round((performance.now() - from) / 1000) };
}

async function both(kills: number, seed: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const database of ["postgres", "pglite"] as const) {
    const { lost, doubled, alerts, met } = await scanKills({ kills, seed, database });
    for (const line of [...lost, ...doubled].slice(0, 20)) console.error(line);
    const on = `sync and checks, ${database}, ${kills} kills, seed ${seed}`;
    findings.push(
      atMost("R1", `${on}: lost of ${alerts} alerts`, lost.length, 0),
      atMost("R1", `${on}: doubled alerts`, doubled.length, 0),
      atLeast("R1", `${on}: kills that met work`, met, 1),
    );
  }
  return findings;
}

if (import.meta.main) await tell(both(Number(process.env.KILLS ?? 50), Number(process.env.SEED ?? 1)));
