import { alertsPage } from "./alerts_page.ts";
import { argon2id } from "./argon2id.ts";
import { backup } from "./backup.ts";
import { breachToMail } from "./breach_to_mail.ts";
import { bulkMatch } from "./bulk_match.ts";
import { catalogueSync } from "./catalogue_sync.ts";
import { dashboard } from "./dashboard.ts";
import { wholeDomain } from "./domain.ts";
import { endurance } from "./endurance.ts";
import { firstPage, nextPage } from "./first_page.ts";
import { growth } from "./growth.ts";
import { guardCall } from "./guard_call.ts";
import { image } from "./image.ts";
import { loginPage } from "./login_page.ts";
import { memory } from "./memory.ts";
import { parserGrowth } from "./parser_growth.ts";
import { perAddress } from "./per_address.ts";
import { planScan } from "./plan_scan.ts";
import type { Place } from "./population.ts";
import { raiseAlerts } from "./raise_alerts.ts";
import { routeGrowth } from "./route_growth.ts";
import { scale } from "./scale.ts";
import { pacedScan, scan } from "./scan.ts";
import { signIn } from "./sign_in.ts";
import { signInTiming } from "./sign_in_timing.ts";
import { start } from "./start.ts";
import { tellingProcesses } from "./telling.ts";
import { underLoad } from "./under_load.ts";

/**
 * The size of this run, new empty databases on the run's server, and products that already serve 5,000 accounts, with
 */
export type Run = {
  short: boolean;
  newDatabase(): Promise<string>;
  populated(kind: "pglite" | "postgres"): Promise<Place>;
};
export type Line = { line: string; what: string; measure(run: Run): Promise<void> };

/** Embedded first, then on a server. */
async function onBoth({ newDatabase }: Run, measure: (databaseUrl: string | undefined) => Promise<void>) {
  await measure(undefined);
  await measure(await newDatabase());
}

/** The same, with the population. */
async function amongMany({ populated }: Run, measure: (place: Place) => Promise<void>) {
  await measure(await populated("pglite"));
  await measure(await populated("postgres"));
}

export const LINES: Line[] = [
  {
    line: "breach-to-mail",
    what: "a breach is published, until the last mail is marked; against nodemailer alone",
    measure: (run) => onBoth(run, (url) => breachToMail(url, run.short ? 500 : 10_000)),
  },
  {
    line: "two-processes",
    what: "the same by two processes, and by one that is killed at random; against one alone",
    measure: async ({ short, newDatabase }) => tellingProcesses(await newDatabase(), short ? 500 : 10_000),
  },
  {
    line: "plan-scan",
    what: "every address becomes due; against one UPDATE",
    measure: async ({ short, newDatabase }) => planScan(await newDatabase(), short ? 50_000 : 1_000_000),
  },
  {
    line: "raise-alerts",
    what: "exposures become alerts and messages that wait; against one statement per table",
    measure: async ({ short, newDatabase }) => raiseAlerts(await newDatabase(), short ? 5000 : 100_000),
  },
  {
    line: "per-address",
    what: "a check with 900 known breaches; against one with 100",
    measure: ({ short, newDatabase }) => perAddress(newDatabase, short ? 1000 : 5000, short ? 5 : 9),
  },
  {
    line: "memory",
    what: "resident, idle and after a load",
    async measure({ short, populated }) {
      for (const kind of ["pglite", "postgres"] as const) {
        // One after the other: a database that is being copied cannot be copied again.
        const places: Place[] = [];
        while (places.length < (short ? 1 : 3)) places.push(await populated(kind));
        await memory(places, short ? 4000 : 20_000);
      }
    },
  },
  {
    line: "start",
    what: "from the process to its first answer, with existing data; beside an empty server",
    measure: (run) => amongMany(run, (place) => start(place, run.short ? 3 : 9)),
  },
  {
    line: "guard-call",
    what: "who is signed in; against bare Hono with the same look-up",
    measure: (run) => amongMany(run, (place) => guardCall(place, run.short ? 1000 : 4000)),
  },
  {
    line: "sign-in",
    what: "password and mailed code; against argon2id alone, and while 25 a second come",
    measure: (run) => amongMany(run, (place) => signIn(place, run.short ? 40 : 120)),
  },
  {
    line: "dashboard",
    what: "its data for 50 addresses; against bare Hono with one query by hand",
    measure: (run) => amongMany(run, (place) => dashboard(place, run.short ? 300 : 2000)),
  },
  {
    line: "alerts-page",
    what: "the first page of 2,000 alerts; against bare Hono with one query by hand",
    measure: (run) => amongMany(run, (place) => alertsPage(place, run.short ? 150 : 600)),
  },
  {
    line: "catalogue-sync",
    what: "a source's catalogue; against parsing it and one upsert",
    measure: (run) => onBoth(run, catalogueSync),
  },
  {
    line: "scan",
    what: "addresses checked one by one; against the same requests by fetch",
    measure: (run) => onBoth(run, (url) => scan(url, run.short ? 1000 : 20_000)),
  },
  {
    line: "paced-scan",
    what: "the same at a source that allows 50 a second; against its limit",
    measure: (run) => onBoth(run, (url) => pacedScan(url, run.short ? 300 : 3000)),
  },
  {
    line: "bulk-match",
    what: "a list of hashes; against COPY and a hash join",
    measure: async ({ short, newDatabase }) => bulkMatch(await newDatabase(), short),
  },
  {
    line: "domain",
    what: "100,000 found addresses of one domain: stored, and looked at",
    measure: (run) => onBoth(run, (url) => wholeDomain(url, run.short ? 5000 : 100_000)),
  },
  {
    line: "backup",
    what: "a backup and its restore",
    measure: ({ short }) => backup(short ? 20_000 : 100_000),
  },
  {
    line: "login-page",
    what: "the login's document, with its headers; against the same page from bare Hono",
    measure: ({ short }) => loginPage(short ? 4000 : 20_000),
  },
  {
    line: "first-page",
    what: "the login in a browser, slow 4G, a quarter of the processor; beside an empty page",
    measure: ({ short }) => firstPage(short ? 3 : 7),
  },
  { line: "next-page", what: "what the dashboard fetches after the login, likewise", measure: nextPage },
  {
    line: "under-load",
    what: "who is signed in, while all are checked and told; against the same at rest",
    measure: (run) => onBoth(run, (url) => underLoad(url, run.short ? 20_000 : 100_000, run.short ? 1000 : 4000)),
  },
  {
    line: "endurance",
    what: "speed and memory after many requests; against the first of them",
    measure: (run) => amongMany(run, (place) => endurance(place, run.short ? 20_000 : 1_000_000)),
  },
  {
    line: "growth",
    what: "what takes longer where more addresses are watched",
    async measure({ short, newDatabase }) {
      const sizes = short ? [500, 5000, 50_000] : [5000, 50_000, 500_000];
      for (const kind of ["pglite", "postgres"] as const) await growth(kind, newDatabase, sizes, short ? 500 : 2000);
    },
  },
  {
    line: "scale",
    what: "5,000,000 addresses on one server: pages, a breach that is told, a backup, retention, sizes of tables",
    measure: ({ short, newDatabase }) =>
      scale(
        newDatabase,
        short
          ? { addresses: 50_000, concerned: 500, usual: 5000 }
          : { addresses: 5_000_000, concerned: 50_000, usual: 100_000 },
      ),
  },
  {
    line: "route-growth",
    what: "a text four times as long at each place of each route; at most six times as long",
    measure: routeGrowth,
  },
  {
    line: "parser-growth",
    what: "lines of files, messages and searches four times as long; at most six times as long",
    measure: parserGrowth,
  },
  { line: "image", what: "the container's size", measure: async () => image() },
  { line: "argon2id", what: "what a password costs", measure: argon2id },
  { line: "sign-in-timing", what: "whether times of answers tell who has an account", measure: signInTiming },
];
