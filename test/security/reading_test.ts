import { beforeAll, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { rowsOf as answersOf } from "../../src/database/logical_dump.ts";
import { accepted } from "../support/builders.ts";
import { markedAccount, worldOnDatabase } from "../support/marked_account.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { signedUp } from "../support/world.ts";

/** What reads may change: when a session or a token was last used, and its remaining rate limit. */
const MAY_CHANGE: Record<string, string[]> = {
  "identity.sessions": ["last_seen_at", "expires_at"],
  "identity.api_tokens": ["last_used_at", "last_ip_prefix", "busy_until"],
};
/** Attempt counters, by keyed marks. */
const COUNTERS = ["identity.attempts"];

type World = Awaited<ReturnType<typeof worldOnDatabase>>;
let world: World;
let callers: Awaited<ReturnType<typeof signedUp>>[];
let routes: string[];

/** Reads every row of every table except these, in a single statement, as it runs after every route. */
async function rowsQuery({ plain }: World): Promise<SQL> {
  const name = sql<string>`table_schema || '.' || table_name`;
  const own = sql`table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'drizzle')`;
  const tables = await plain((tx) => tx.select({ name }).from(sql`information_schema.tables`).where(own));
  const rows = tables
    .filter((table) => !COUNTERS.includes(table.name))
    .map((table) => {
      const without = (MAY_CHANGE[table.name] ?? []).map((column) => ` - '${column}'`).join("");
      const list = `select string_agg(row, E'\\n' order by row) from (select (to_jsonb(t)${without})::text as row from ${table.name} as t) as its`;
      return `select '${table.name}' as name, (${list}) as rows`;
    });
  return sql.raw(rows.join(" union all "));
}

async function rowsOf({ plain }: World, query: SQL): Promise<Map<string, string | null>> {
  const tables = await plain((tx) => answersOf<{ name: string; rows: string | null }>(tx, query));
  return new Map(tables.map(({ name, rows }) => [name, rows]));
}

/** Values in responses that can be used in paths: ids, ticket references, file names. */
const NAMES = /"((?:[0-9a-f]{8}-[0-9a-f-]{27})|(?:BB-[\w-]+))"/g;
const QUERIES = [
  "",
  "?association=zqmarker@example.com",
  "?child_email=zqmarker@example.com",
  "?association_email=zqmarker@example.com",
  "?kind=technical",
  "?language=en",
  "?country=DE",
];

/** Their content does not exist in this world; they are requested all the same. */
const REFUSED = [
  ...["/api/check-user-belong-association/", "/api/logos/:file", "/api/push/key", "/api/sign-in"],
  ...["/api/support/tickets", "/api/test-alerts", "/metrics"],
  ...["/sandbox/checkout/:id", "/sandbox/invoice/:id", "/sandbox/portal/:id"],
];

beforeAll(async () => {
  world = await worldOnDatabase(await emptyDatabase());
  const marked = await markedAccount(world);
  const staff = await signedUp(world, "staff@example.net");
  const { accountId } = accepted(await world.identity.accountNamed("staff@example.net"));
  accepted(await world.identity.setStaff(accountId, { staff: true }));
  const incident = { kind: "incident", state: "investigating", parts: ["website"], endsAt: null };
  const words = { title: { en: "Slow" }, text: { en: "We are looking into it." } };
  const opened = await staff("POST", "/api/staff/incidents", {
    ...incident,
    ...words,
    startsAt: new Date().toISOString(),
  });
  expect(opened.status).toBe(201);
  callers = [marked.call, staff];
  const all = world.app.routes.filter(({ method, path }) => method === "GET" && !path.includes("*"));
  routes = [...new Set(all.map(({ path }) => path))];
});

describe("a GET", () => {
  test("changes nothing but counters and last-used times, for any caller and any resource", async () => {
    const query = await rowsQuery(world);
    const before = await rowsOf(world, query);
    expect([...before.values()].filter(Boolean).length).toBeGreaterThan(20);
    const names = new Set<string>();
    const answered = new Set<string>();
    const changed: string[] = [];
    async function ask(route: string, path: string): Promise<void> {
      for (const call of callers) {
        const answer = await call("GET", path);
        const text = await answer.text();
        if (answer.status < 400) answered.add(route);
        for (const [, name = ""] of text.matchAll(NAMES)) names.add(name);
      }
    }
    async function look(route: string): Promise<void> {
      const after = await rowsOf(world, query);
      for (const [table, rows] of after) {
        if (before.get(table) === rows) continue;
        changed.push(`${route}: ${table}`);
        before.set(table, rows);
      }
    }

    const [withParts, plain] = [
      routes.filter((path) => path.includes(":")),
      routes.filter((path) => !path.includes(":")),
    ];
    for (const route of plain) {
      for (const query of QUERIES) await ask(route, route + query);
      await look(route);
    }
    for (const route of withParts) {
      for (const name of [...names, "login_code"]) {
        if (answered.has(route)) break;
        await ask(route, route.replace(":kind", name).replace(":language", "en").replaceAll(/:\w+/g, name));
      }
      await look(route);
    }
    expect(changed).toEqual([]);
    expect(routes.filter((route) => !answered.has(route)).sort()).toEqual(REFUSED);
    expect(names.size).toBeGreaterThan(20);
  }, 120_000);
});
