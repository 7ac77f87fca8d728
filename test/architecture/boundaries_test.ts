import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { importsOf, readTree, sourcesOf, type Tree } from "./imports.ts";
import { arrowsOf, roomsInCircles } from "./rooms.ts";
import { check, type Exceptions, RULE_NAMES, type RuleName } from "./rules.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Exceptions to the rules, each with its reason. */
const EXCEPTIONS: Exceptions = { long: {}, typeCycles: {} };

type Planted = [rule: RuleName, path: string, text: string, others?: Record<string, string>];
const LONG = "export const a = 1;\n".repeat(301);
const LONG_FUNCTION = `export function a() {\n${"  b();\n".repeat(49)}}\n`;

/** For each rule, files that violate it. */
const PLANTED: Planted[] = [
  ["R4", "src/backup/write.ts", 'import type { Config } from "../config/config.ts";'],
  ["R1", "src/billing/trial.ts", 'import { coveredBy } from "../tracking/association.ts";'],
  ["R1", "src/billing/ports.ts", 'import type { Association } from "../tracking/ports.ts";'],
  ["R1", "src/billing/mod.ts", 'export type { Association } from "../tracking/mod.ts";'],
  ["R1", "src/billing/adapters/postgres/store.ts", 'export * from "../../../tracking/adapters/postgres/store.ts";'],
  ["R1", "src/billing/trial.ts", 'const rules = await import("../tracking/association.ts");'],
  ["R1", "src/billing/trial.ts", 'type A = import("../tracking/ports.ts").Association;'],
  ["R1", "src/billing/trial.ts", 'import {\n  type A,\n  b,\n} from "../tracking/ports.ts";'],
  ["R1", "src/billing/trial.ts", 'import "./ports.ts"; import { b } from "../tracking/ports.ts";'],
  ["R2", "src/billing/trial.ts", 'import { plans } from "./adapters/postgres/store.ts";'],
  ["R2", "src/billing/trial.ts", 'import type { Database } from "../database/postgres.ts";'],
  ["R2", "src/billing/trial.ts", 'import { createLog } from "../runtime/log.ts";'],
  ["R2", "src/billing/trial.ts", 'import type { Outbox } from "../events/outbox.ts";'],
  ["R2", "src/shared/result.ts", 'import type { Plan } from "../billing/ports.ts";'],
  ["R2", "src/events/outbox.ts", 'import { postgresOutbox } from "./adapters/postgres/outbox.ts";'],
  ["R3", "src/billing/trial.ts", 'import * as v from "valibot";'],
  ["R3", "src/billing/inputs.ts", 'import { z } from "zod";'],
  ["R3", "src/billing/order_inputs.ts", 'import { z } from "zod";'],
  ["R3", "src/billing/inputs_of_orders.ts", 'import * as v from "valibot";'],
  ["R3", "src/billing/trial.ts", 'import { randomUUID } from "node:crypto";'],
  ["R3", "src/billing/trial.ts", "const now = Date.now();"],
  ["R3", "src/billing/trial.ts", "const now = new Date();"],
  ["R3", "src/events/outbox.ts", "const now = new Date;"],
  ["R3", "src/shared/id.ts", "const chance = Math.random();"],
  ["R3", "src/billing/trial.ts", "const id = crypto.randomUUID();"],
  ["R3", "src/billing/trial.ts", "const id = `$" + "{Bun.randomUUIDv7()}`;"],
  ["R3", "src/billing/trial.ts", "process.exit(1);"],
  ["R3", "src/billing/trial.ts", 'await fetch("https://api.example");'],
  ["R4", "src/billing/adapters/http/routes.ts", 'import { eq } from "drizzle-orm";'],
  ["R4", "test/memory/billing/store.ts", 'import { Hono } from "hono";'],
  ["R4", "test/memory/billing/store.ts", 'import { memoryTracking } from "../tracking/store.ts";'],
  ["R4", "src/billing/adapters/carrier_pigeon.ts", 'import { pigeon } from "pigeon";'],
  ["R4", "src/billing/adapters/http/routes.ts", 'import type { Config } from "../../../config/config.ts";'],
  ["R4", "src/database/postgres.ts", 'import { plans } from "../billing/adapters/postgres/store.ts";'],
  ["R4", "src/http/session.ts", 'import type { Identity } from "../identity/mod.ts";'],
  ["R4", "src/adapters.ts", 'import { world } from "../test/support/world.ts";'],
  ["R4", "src/compose.ts", 'import { Hono } from "hono";'],
  ["R5", "src/billing/trial.ts", 'import { createBilling } from "./mod.ts";'],
  ["R5", "src/billing/adapters/postgres/store.ts", 'import type { Billing } from "../../mod.ts";'],
  ["R5", "src/billing/adapters/http/routes.ts", 'import { createBilling } from "../../mod.ts";'],
  ["R5", "src/server/app.ts", 'import { createBilling } from "../billing/mod.ts";'],
  ["R5", "src/main.ts", 'import { createBilling } from "./billing/mod.ts";'],
  ["R6", "src/database/server.ts", "const url = process.env.DATABASE_URL;"],
  ["R6", "src/compose.ts", "const url = Bun.env.DATABASE_URL;"],
  ["R6", "src/server/app.ts", "const url = import.meta.env.DATABASE_URL;"],
  ["R6", "src/server/app.ts", "const { env } = process;"],
  ["R6", "src/server/app.ts", 'const url = process["env"].DATABASE_URL;'],
  ["R6", "src/http/pages.ts", 'import { env } from "node:process";'],
  ["R7", "web/tracking/track.tsx", 'import { statusOf } from "../../src/tracking/association.ts";'],
  ["R7", "web/tracking/track.tsx", 'import type { Association } from "../../src/tracking/mod.ts";'],
  ["R7", "web/tracking/track.tsx", 'import { a } from "../../src/tracking/inputs_of_orders.ts";'],
  ["R7", "web/api/api.ts", 'import { createApp } from "../../src/server/app.ts";'],
  ["R7", "web/app/i18n.tsx", 'const files = import.meta.glob("../../src/*/ports.ts");'],
  ["R8", "web/tracking/track.tsx", 'import { useAlerts } from "../breaches/queries.ts";'],
  ["R8", "web/ui/bell.tsx", 'import { useAlerts } from "../breaches/queries.ts";'],
  ["R8", "web/shared/bell.tsx", 'import { useAlerts } from "../breaches/queries.ts";'],
  [
    "R8",
    "web/app/root.tsx",
    'import Track from "../tracking/track.tsx";',
    { "web/tracking/track.tsx": "export default a;" },
  ],
  ["R9", "src/billing/trial.ts", 'import { plans } from "./ports";'],
  ["R9", "test/billing/trial_test.ts", 'import { plans } from "../..";'],
  ["R9", "web/tracking/track.tsx", 'import { Card } from "@/ui/card.tsx";'],
  ["R9", "web/tracking/track.tsx", 'import { Card } from "/ui/card.tsx";'],
  ["R9", "src/billing/index.ts", "export const a = 1;"],
  ["R9", "src/adapters.ts", "const adapter = await import(path);"],
  ["R9", "src/billing/trial.ts", 'import { a } from "./trial.ts";'],
  [
    "R9",
    "src/a.ts",
    'import { b } from "./b.ts";',
    { "src/b.ts": 'export * from "./c.ts";', "src/c.ts": 'import "./a.ts";' },
  ],
  ["R9", "src/a.ts", 'import type { B } from "./b.ts";', { "src/b.ts": 'import type { A } from "./a.ts";' }],
  ["R10", "src/billing/trial.ts", LONG_FUNCTION],
  ["R10", "web/ui/form.tsx", LONG_FUNCTION],
  ["R10", "src/billing/trial.ts", `export function createTrial() {\n  return { begin: ${LONG_FUNCTION.slice(7)} };\n}`],
  ["R10", "test/billing/trial_test.ts", LONG],
  ["names", "src/billing/free-trial.ts", ""],
  ["names", "web/ui/Card.tsx", ""],
  ["exports", "src/billing/trial.ts", "export default function trial() {}"],
  ["exports", "web/ui/display/card.tsx", "export { Card as default };"],
];

/** Text that looks like a violation but is none. */
const INNOCENT: Record<string, string> = {
  "src/billing/trial.ts": [
    'import type { EventOf } from "../events/catalogue.ts";',
    'import { ok } from "../shared/result.ts";',
    "// Not Date.now(), and not import { a } from '../tracking/ports.ts';",
    '/* import { b } from "hono"; */',
    'const words = "new Date() by Math.random() and https://example.org"; // crypto.randomUUID()',
    "const then = new Date(0);",
    "const { process } = deps; const made = deps.crypto.made;",
    'const from = "./nowhere";',
  ].join("\n"),
  "src/billing/settle.ts": `export function createSettle() {\n  return {\n${"    one: () => 1,\n".repeat(60)}  };\n}`,
  "src/billing/inputs.ts": 'import * as v from "valibot";',
  "src/billing/order_inputs.ts": 'import * as v from "valibot";',
  "web/billing/order.tsx": 'import { orderInput } from "../../src/billing/order_inputs.ts";',
  "src/billing/adapters/http/routes.ts":
    'import { Hono } from "hono";\nimport { reply } from "../../../http/reply.ts";\nimport type { Billing } from "../../mod.ts";',
  "src/billing/adapters/postgres/orders.ts":
    'import { eq } from "drizzle-orm";\nimport { readFileSync } from "node:fs";',
  "src/compose.ts": 'import { createBilling } from "./billing/mod.ts";',
  "src/main.ts": "const config = loadConfig(process.env);",
  "web/api/api.ts": 'import type { App } from "../../src/server/api_routes.ts";',
  "web/tracking/track.tsx":
    'import { trackInput } from "../../src/tracking/inputs.ts";\nimport { Card } from "../ui/display/card.tsx";\nexport default function Track() {}',
  "web/app/page_table.ts": 'const page = () => import("../tracking/track.tsx");',
  "test/billing/trial_test.ts": 'import { createBilling } from "../../src/billing/mod.ts";\nprocess.env.CI;',
};

const tree = readTree(ROOT, ["src", "web", "test", "locales"]);
const found = check(tree, EXCEPTIONS);

describe("the source tree", () => {
  test.each(RULE_NAMES)("follows the rule %s everywhere", (rule) => {
    expect(found.filter((violation) => violation.rule === rule).map(({ path, says }) => `${path} ${says}`)).toEqual([]);
  });

  test("has no cycle of rooms", () => {
    expect(roomsInCircles(arrowsOf(sourcesOf(tree), { adapters: true }))).toEqual([]);
  });

  test("would report a cycle of rooms", () => {
    const circle = new Map([
      ["src/telemetry/tracing.ts", 'import type { Reply } from "../http/reply.ts";'],
      ["src/http/reply.ts", 'import { metrics } from "../telemetry/metrics.ts";'],
      ["src/shared/result.ts", ""],
    ]);
    expect(roomsInCircles(arrowsOf(sourcesOf(circle), { adapters: true }))).toEqual(["telemetry", "http"]);
  });

  test("is read completely: its rooms exist and its imports are found", () => {
    for (const room of ["src/shared/", "src/identity/adapters/", "src/http/", "web/ui/", "test/architecture/"]) {
      expect([...tree.keys()].some((path) => path.startsWith(room))).toBe(true);
    }
    const wired = importsOf("src/compose.ts", tree.get("src/compose.ts") ?? "").map(({ target }) => target);
    for (const path of tree.keys()) if (/^src\/\w+\/mod\.ts$/.test(path)) expect(wired).toContain(path);
  });

  // The compiler's own scan omits types, so it cannot replace the checker, but it can verify it.
  test("shows the checker every import that the compiler finds", () => {
    const compilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
    for (const [path, { text, imports }] of sourcesOf(tree)) {
      if (!/\.tsx?$/.test(path)) continue;
      const transpiler = compilers[path.endsWith("x") ? "tsx" : "ts"];
      const seen = imports.map(({ specifier }) => specifier);
      // JSX imports React implicitly.
      const wanted = transpiler
        .scanImports(text.replace(/^#!.*/, ""))
        .filter((scanned) => !/^react(\/jsx-|$)/.test(scanned.path));
      const missed = wanted.filter((scanned) => !seen.includes(scanned.path)).map((scanned) => scanned.path);
      expect({ path, missed }).toEqual({ path, missed: [] });
    }
  });

  test("needs every exception", () => {
    const without = check(tree, EXCEPTIONS).map(({ rule, path }) => `${rule} ${path}`);
    for (const path of Object.keys(EXCEPTIONS.long)) expect(without).toContain(`R10 ${path}`);
    for (const cycle of Object.keys(EXCEPTIONS.typeCycles)) {
      const [path = "", target = ""] = cycle.split(" -> ");
      expect(without).toContain(`R9 ${path}`);
      expect(without).toContain(`R9 ${target}`);
    }
  });
});

describe("check()", () => {
  const cases = PLANTED.map(([rule, path, text, others = {}]) => {
    const title = text.slice(0, 70).replaceAll("\n", " ");
    return { rule, path, title, planted: new Map(Object.entries({ [path]: text, ...others })) };
  });
  test.each(cases)("$rule reports $path: $title", ({ rule, planted }) => {
    expect(check(planted, EXCEPTIONS).map((violation) => violation.rule)).toContain(rule);
  });

  test("has a planted violation for every rule", () => {
    expect(new Set(PLANTED.map(([rule]) => rule))).toEqual(new Set(RULE_NAMES));
  });

  test("ignores text that only looks like a violation", () => {
    expect(check(new Map(Object.entries(INNOCENT)), EXCEPTIONS)).toEqual([]);
  });

  test("finds a planted violation among all other files", () => {
    const planted: Tree = new Map([
      ...tree,
      ["src/billing/planted.ts", 'import type { A } from "../tracking/ports.ts";'],
    ]);
    const more = check(planted, EXCEPTIONS).filter(({ path }) => path === "src/billing/planted.ts");
    expect(more.map(({ rule }) => rule)).toContain("R1");
  });
});
