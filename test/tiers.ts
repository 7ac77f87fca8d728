// What runs when, and why: the gate for each change, the nightly run for slow tests, and manual runs for what needs a
// machine to itself.
// `bun run test` runs the gate, `bun run test:nightly` the parts of the night (`--list` prints them).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

export type Part = {
  name: string;
  reason: string;
  /** Test files and folders, relative to `test/`. */
  tests?: string[];
  /** Other work, as a script of `package.json` with its options. */
  script?: string[];
  env?: Record<string, string>;
  /** The gate has these tests too, in a short form. */
  alsoInGate?: boolean;
  /** What would go undetected until this part has run. */
  foundHereOnly?: string;
};

/** Journeys that each change must pass: a new user's, an owner's consent, a purchase. */
export const GATE_JOURNEYS = ["e2e/newcomer_test.ts", "e2e/consent_test.ts", "e2e/purchase_test.ts"];

function filesBelow(folder: string): string[] {
  const names = readdirSync(join(ROOT, "test", folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /_test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .toSorted();
}

export const EVERY_TEST = filesBelow("");

function filesOf(paths: string[]): string[] {
  return paths.flatMap((path) => (path.endsWith(".ts") ? [path] : filesBelow(path)));
}

const OPENS_A_BROWSER = /from "(?:\.\/(?:browser|screens|walking)|\.\.\/e2e\/product)\.ts"/;
const EVERY_PAGE = /^web\/every_(?:public_)?page_test\.ts$/;
/** The browser tests of pages, except for those that check every page once. */
const inBrowser = filesBelow("web").filter(
  (path) => !EVERY_PAGE.test(path) && OPENS_A_BROWSER.test(readFileSync(join(ROOT, "test", path), "utf8")),
);
const HAS_SCREENS = /\btestScreens\(/;
const withScreens = inBrowser.filter((path) => HAS_SCREENS.test(readFileSync(join(ROOT, "test", path), "utf8")));

export const NIGHTLY: Part[] = [
  {
    name: "histories",
    reason: "random histories and crashes: the gate tries a few of them, the night many more",
    tests: [
      ...["consent/histories_test.ts", "consent/two_processes_test.ts", "invitations/histories_test.ts"],
      ...["invitations/two_processes_test.ts", "identity/session_histories_test.ts", "billing/event_order_test.ts"],
      "random_crashes_test.ts",
    ],
    env: { HISTORIES: "200", FAULT_SEEDS: "1,300" },
    alsoInGate: true,
    foundHereOnly: "an order of events or a moment of a crash that is rarer than one in some dozens",
  },
  {
    name: "volume",
    reason:
      "what the gate does once or with few: another language and currency, no payments, the other database's backup, 200,000 addresses, a catch-all with 50,000",
    tests: [
      ...["e2e/consent_test.ts", "e2e/purchase_test.ts", "backup/round_trip_test.ts", "deletion_flow_test.ts"],
      ...[
        "database/idle_scale_test.ts",
        "breaches/sources_parallel_test.ts",
        "breaches/severity_escalation_parallel_test.ts",
      ],
      "invitations/limits_test.ts",
      "domains/catch_all_volume_test.ts",
    ],
    alsoInGate: true,
    foundHereOnly: "a plan that turns to reading a whole table only when it is large",
  },
  {
    name: "stores",
    reason:
      "every store, and what is stored of a person, on PGlite as well, which takes longest; the gate has memory and a Postgres server",
    tests: [
      ...["contracts", "personal", "export_flow_test.ts", "tracking/records_test.ts", "security/reading_test.ts"],
      "backup/before_migration_test.ts",
    ],
    alsoInGate: true,
    foundHereOnly: "a statement that a Postgres server takes and PGlite does not, where no journey of the gate uses it",
  },
  {
    name: "channels",
    reason: "every fault of a channel until it never ends; some wait for their time to be over",
    tests: ["notifications/fault_matrix_test.ts"],
    alsoInGate: true,
    foundHereOnly: "a silent or slow provider that is not given up, or that is told twice",
  },
  {
    name: "spam",
    reason: "every kind of mail in every language is judged by SpamAssassin, which takes minutes",
    tests: ["notifications/spam_score_test.ts"],
    foundHereOnly: "a word or a trick in a mail that spam filters take for spam",
  },
  {
    name: "tools",
    reason:
      "what other programs read is given to them: promtool, systemd-analyze, zsh and fish, which the night installs",
    tests: ["telemetry/monitoring_kit_test.ts", "container/deploy_test.ts", "cli/completion_test.ts"],
    alsoInGate: true,
    foundHereOnly:
      "an alert rule, a unit or a completion that its program refuses, on a machine that lacked the program",
  },
  {
    name: "processes",
    reason: "processes and databases that are killed, stopped and started again, which is waited for in real time",
    tests: [
      ...["faults", "telemetry/watchdog_test.ts", "cli/handover_test.ts", "database/server_outage_test.ts"],
      "telemetry/probes_test.ts",
    ],
    foundHereOnly: "work that is lost or done twice when a process is killed, and a database that does not come back",
  },
  {
    name: "restores",
    reason: "whole databases are filled, written out while others write, and brought back elsewhere",
    tests: ["backup/restored_test.ts", "backup/while_writing_test.ts"],
    foundHereOnly: "a backup made under load that cannot be restored (the gate restores one that was made at rest)",
  },
  {
    name: "releases",
    reason: "a backup of every released schema is brought forward, on both databases",
    tests: ["releases"],
    foundHereOnly: "a migration that loses or refuses rows of an older release",
  },
  {
    name: "journeys",
    reason: "every journey through the running product; the gate has three",
    tests: filesBelow("e2e").filter((path) => !GATE_JOURNEYS.includes(path)),
    foundHereOnly: "page and server that do not agree, outside of the newcomer's way, consent and purchase",
  },
  {
    name: "screens",
    reason:
      "every state of every screen: policy, accessibility in both themes, the smallest phone, words; the gate has one a page",
    tests: withScreens,
    foundHereOnly: "a barrier or a missing word in a state of a page that is not its first",
  },
  {
    name: "pages",
    reason: "what pages do in a browser: forms, dialogs, keyboard, two tabs, lost sessions",
    tests: inBrowser.filter((path) => !withScreens.includes(path)),
    foundHereOnly: "a page that is drawn well and does the wrong thing when it is used",
  },
  {
    name: "walk",
    reason: "every page in six languages, two themes and two widths",
    script: ["walk"],
    foundHereOnly: "a language or a width in which one page overflows",
  },
  {
    name: "states",
    reason: "every state of every screen, in languages, themes and widths that take turns",
    script: ["walk", "--states"],
  },
  {
    name: "attacks",
    reason: "the security goals as attacks on two running processes",
    script: ["attacks"],
    foundHereOnly:
      "a race, a flood or a malformed request that only a running server meets (the gate has the matrices of rights)",
  },
  {
    name: "attack tests",
    reason: "the same in short, with what the attacks look for",
    tests: ["attacks"],
    alsoInGate: true,
  },
  {
    name: "mutants",
    reason: "forty wrong lines, each of which a test has to notice",
    script: ["mutants"],
    foundHereOnly: "a test that has become blind",
  },
  {
    name: "faults",
    reason: "the fault set with small numbers; whole it is run by hand",
    script: ["faults", "--short"],
  },
  {
    name: "container",
    reason: "the folder of the image is packed, entered and run",
    tests: ["container/image_test.ts"],
    foundHereOnly: "an image that does not start (the gate reads the Dockerfile and the list of what is shipped)",
  },
  {
    name: "development",
    reason: "`bun run dev` in a copy of the project, and `bun run seed`",
    tests: ["development/loop_test.ts", "development/seed_test.ts"],
    foundHereOnly: "a change that no longer shows by itself during development, and invented data that is not taken",
  },
];

export const BY_HAND: Part[] = [
  { name: "bench", reason: "it measures, on a machine that does nothing else", script: ["bench"] },
  {
    name: "long faults",
    reason: "the whole fault set takes most of an hour and wants the machine",
    script: ["faults"],
  },
  { name: "built image", reason: "it builds the image, as root", script: ["test:container"] },
];

export function testsOf({ tests = [] }: Part): string[] {
  return filesOf(tests).map((path) => `test/${path}`);
}

const leaving = new Set(NIGHTLY.filter(({ alsoInGate }) => !alsoInGate).flatMap(testsOf));

/**
 * The gate: rules, domains, contracts, HTTP, security matrices, route guards, every page once, three journeys, and the
 * container tests without a build. It contains every test that no nightly part takes over, so new files are included
 * automatically.
 */
export const GATE = EVERY_TEST.map((path) => `test/${path}`).filter((path) => !leaving.has(path));

const USES_A_BROWSER = /\b(?:testScreens|sharedBrowser|visit)\(/;
/**
 * The gate runs in two parallel groups. Bun starts files in the order of their names, and these take by far the
 * longest: they would start last, and end long after everything else.
 */
export const [GATE_IN_BROWSER, GATE_WITHOUT] = [true, false].map((wanted) =>
  GATE.filter((path) => USES_A_BROWSER.test(readFileSync(join(ROOT, path), "utf8")) === wanted),
) as [string[], string[]];
