import { allOperations, isScope } from "../../src/http/operations.ts";
import { nothingWaits } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { rawRequest } from "./links.ts";
import { count, mailTo, PUBLIC_URL, person, type Target, tracked } from "./target.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";
const EVIL = "https://evil.example";

/** User data by table, except for what changes by itself. */
export async function checksums({ sql }: Target): Promise<Map<string, string>> {
  const tables = await sql`select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and (table_schema in ('identity', 'tracking', 'invitations', 'billing', 'support')
      or (table_schema = 'notifications' and table_name in ('contact', 'summary', 'telegram_link'))
      or (table_schema = 'breaches' and table_name in ('alert', 'watch', 'drill', 'seen'))) order by 1, 2`;
  const sums = new Map<string, string>();
  for (const { schema, name } of tables) {
    // The log of views, and attempt counters.
    if (["attempts", "audit_events"].includes(name)) continue;
    const rows =
      await sql`select to_jsonb(t) - 'last_seen_at' - 'expires_at' - 'last_used_at' - 'last_ip_prefix' - 'busy_until' as row
      from ${sql(`${schema}.${name}`)} as t order by 1`;
    sums.set(`${schema}.${name}`, JSON.stringify(rows));
  }
  return sums;
}

/** The tables whose rows have changed. */
export async function changedSince(target: Target, before: Map<string, string>): Promise<string[]> {
  const changed = [...(await checksums(target))]
    .filter(([name, sum]) => before.get(name) !== sum)
    .map(([name]) => name);
  for (const name of changed)
    console.error(`changed: ${name} ${before.get(name)} => ${(await checksums(target)).get(name)}`);
  return changed;
}

const PEOPLES = allOperations().filter(
  ([route, { access }]) => route.includes(" /api/") && (access === "website" || isScope(access)),
);
const placeOf = (pattern: string): string => pattern.replaceAll(/:\w+/g, NOBODY);

/** S15: reading changes nothing, including links in mails that a mail scanner would open. */
export async function reading(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s15@example.net");
  await alice.call("POST", "/api/associations", { body: tracked(alice.email, true, "friend-of-s15@example.org") });
  await alice.call("POST", "/api/associations", { body: tracked("s15-ward@example.org", false, alice.email) });
  for (const to of ["friend-of-s15@example.org", "s15-ward@example.org"]) await mailTo(target, to, /#t=/);
  await nothingWaits(target.products[0]?.url ?? "");
  const before = await checksums(target);
  const texts = target.smtp.received.map(({ raw, mail }) => `${raw} ${mail.text} ${mail.html}`);
  const links = texts.flatMap((text) => text.match(new RegExp(`${PUBLIC_URL}[^\\s"'<>)]+`, "g")) ?? []);
  const paths = new Set(
    links
      .map((link) => new URL(link.replaceAll("&amp;", "&")))
      .flatMap(({ pathname, search }) => [pathname, pathname + search]),
  );
  for (const [route] of allOperations()) paths.add(placeOf(route.split(" ")[1] ?? ""));
  for (const path of paths) for (const method of ["GET", "HEAD", "OPTIONS"]) await alice.call(method, path);
  return [
    atLeast("S15", "addresses that are read, of mails and of the registry", paths.size, 100),
    atMost("S15", "tables of people that reading them has changed", (await changedSince(target, before)).length, 0),
  ];
}

const JSON_TYPE = { "Content-Type": "application/json" };
/** As other sites can send it, with the session's cookie. An empty header is omitted. */
const FOREIGN: Record<string, string>[] = [
  { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site", Origin: EVIL },
  { ...JSON_TYPE, "Sec-Fetch-Site": "same-site", Origin: "https://other.breachbell.example" },
  { ...JSON_TYPE, "Sec-Fetch-Site": "none", Origin: PUBLIC_URL },
  { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site", Origin: "null" },
  { "Content-Type": "text/plain", "Sec-Fetch-Site": "cross-site", Origin: EVIL },
  { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
  { "Content-Type": "multipart/form-data; boundary=x", "Sec-Fetch-Site": "cross-site" },
  { "Content-Type": "text/plain; x=application/json", "Sec-Fetch-Site": "same-origin" },
];

/** S32: cross-site requests. */
export async function otherSites(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s32@example.net");
  await nothingWaits(target.products[0]?.url ?? "");
  const changing = PEOPLES.filter(([route]) => !route.startsWith("GET "));
  const before = await checksums(target);
  let passed = 0;
  let asked = 0;
  for (const [route] of changing)
    for (const headers of FOREIGN) {
      const [method = "", pattern = ""] = route.split(" ");
      // Without a body there is no content type, and our own page may send it.
      if (method === "DELETE" && headers["Sec-Fetch-Site"] === "same-origin") continue;
      const { code } = await alice.call(method, placeOf(pattern), { headers, raw: '{"confirm":true}' });
      passed += Number(!["CROSS_SITE", "MEDIA_TYPE_UNSUPPORTED"].includes(code));
      asked += 1;
    }
  return [
    atMost(
      "S32",
      `requests of other pages that are not refused for it, of ${asked} to ${changing.length} routes`,
      passed,
      0,
    ),
    atMost("S32", "tables of people that changed by them", (await changedSince(target, before)).length, 0),
  ];
}

/** S35: bodies that are too large, too deep, truncated or empty. */
export async function badBodies(target: Target): Promise<Finding[]> {
  const visitor = target.browser();
  const line =
    "POST /api/forgot-password HTTP/1.1\r\nHost: breachbell.example\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n";
  const large = JSON.stringify({ email: "s35@example.net", pad: "x".repeat(70_000) });
  const chunked = `${line}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
  const lying = `${line}Content-Length: 20000000\r\nConnection: close\r\n\r\n{"email":"s35@example.net"}`;
  const byChunks = await rawRequest(target, chunked);
  const byLie = await rawRequest(target, lying);
  const byLength = await visitor.call("POST", "/api/forgot-password", { raw: large });
  const bombs = [
    "[".repeat(60_000),
    '{"a":'.repeat(12_000),
    `{"email":"${"\\u0000".repeat(9000)}"}`,
    '{"email":"\\ud800@example.org"}',
    new Uint8Array([123, 255, 254, 125]),
  ];
  const codes = [];
  for (const raw of bombs) codes.push((await visitor.call("POST", "/api/forgot-password", { raw })).status);
  const methods = [];
  for (const method of ["TRACE", "PROPFIND", "CONNECT", "FOO"]) {
    const said = await rawRequest(
      target,
      `${method} /api/login HTTP/1.1\r\nHost: breachbell.example\r\nConnection: close\r\n\r\n`,
    );
    methods.push(/^HTTP\/1\.1 (4\d\d|501)/.test(said) || said === "");
  }
  const [after] =
    await target.sql`select count(*)::int as count from notifications.delivery d where to_jsonb(d)::text like '%s35@%'`;
  return [
    atMost(
      "S35",
      "bodies beyond 64 KiB that are not refused with 413, with a length and in chunks",
      count([byLength.status !== 413, !byChunks.startsWith("HTTP/1.1 413")], Boolean),
      0,
    ),
    atMost("S35", "bodies with a wrong length that are taken", Number(/^HTTP\/1\.1 2/.test(byLie)), 0),
    atMost(
      "S35",
      "bombs of depth, NUL, half characters and no text that are not a 4xx",
      count(codes, (status) => status < 400 || status >= 500),
      0,
    ),
    atMost(
      "S35",
      "methods that nobody needs and that are let through",
      count(methods, (isRefused) => !isRefused),
      0,
    ),
    atMost("S35", "mails that came of all these", Number(after?.count), 0),
  ];
}
