import { isScope, operationOf } from "../../src/http/operations.ts";
import { POLICY_REPORTS } from "../../src/http/security.ts";
import { API_SCOPES, type ApiScope, scopesNeededBy } from "../../src/shared/api_scopes.ts";
import { eventually } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { HALF_WAY, WITHOUT_SESSION } from "../security/route_kinds.ts";
import { memoryGround, worldOn } from "../support/world.ts";
import { seeded, valid } from "./documents.ts";
import { operationsOf } from "./fuzz.ts";
import {
  type Answer,
  type Browser,
  halfWay,
  mailTo,
  type Person,
  person,
  register,
  type Target,
  tokenIn,
  tracked,
} from "./target.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Every registered route, whatever the document says. */
function routes(): string[] {
  const registered = worldOn(memoryGround()).app.routes.filter(({ method }) => method !== "ALL");
  const calls = registered.map(({ method, path }) => `${method} ${path}`).filter((route) => route.includes(" /api/"));
  return [...new Set(calls)];
}

type Kind = "open" | "website" | "half way" | "without session" | "service" | "staff" | "operator" | ApiScope;

/** Who may call it, or undefined where that was not decided. */
function kindOf(route: string): Kind | undefined {
  if (route.includes(" /api/staff/")) return "staff";
  if (route.endsWith(" /api/doctor")) return "operator";
  // Browsers send reports automatically, for any visitor.
  if (route.endsWith(` ${POLICY_REPORTS}`)) return "service";
  const access = operationOf(route)?.access;
  if (access === "website" && WITHOUT_SESSION.includes(route)) return "without session";
  if (access === "website" && HALF_WAY.includes(route)) return "half way";
  return access;
}

type Who = "nobody" | "forged" | "half way" | "ordinary" | "wrong token" | "other scopes";

/** The only correct refusal; undefined if access may be granted. */
function refusalOf(who: Who, kind: Kind): string | undefined {
  if (kind === "service") return undefined;
  const isProgram = who === "wrong token" || who === "other scopes";
  if (who === "wrong token") return kind === "operator" ? undefined : "401 TOKEN_INVALID";
  if (who === "other scopes") {
    if (kind === "website" || kind === "half way" || kind === "without session") return "403 TOKEN_NOT_ACCEPTED";
    if (kind === "staff") return "404 NOT_FOUND";
    return isScope(kind as ApiScope) ? "403 INSUFFICIENT_SCOPE" : undefined;
  }
  if (kind === "staff" || kind === "operator") return isProgram ? undefined : "404 NOT_FOUND";
  if (who === "ordinary" || kind === "open" || kind === "without session" || kind === "half way") return undefined;
  return who === "forged" ? "401 SESSION_EXPIRED" : "401 UNAUTHENTICATED";
}

async function tokensOf(alice: Person): Promise<Record<ApiScope, string>> {
  const tokens = {} as Record<ApiScope, string>;
  for (const scope of API_SCOPES) {
    const scopes = API_SCOPES.filter((one) => one !== scope && !scopesNeededBy([one]).includes(scope));
    tokens[scope] = String(
      (await alice.call("POST", "/api/tokens", { body: { name: "Script", scopes, days: 30 } })).data.token,
    );
  }
  return tokens;
}

/** S20: every registered route, called by everybody without access. New routes are included automatically. */
export async function routeMatrix(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s20@example.net");
  await register(target, "s20-half@example.net");
  const half = await halfWay(target, "s20-half@example.net");
  const tokens = await tokensOf(alice);
  const wrong: string[] = [];
  let cells = 0;
  let asked = 0;
  const all = routes();
  for (const route of all) {
    const kind = kindOf(route);
    if (kind === undefined) {
      wrong.push(`${route}: nobody has decided who may ask`);
      continue;
    }
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replaceAll(/:\w+(\{[^}]*\})?/g, NOBODY);
    const forged = target.browser(new Map([["__Host-session", "forged"]]));
    // A token's rate limit is covered by another test.
    if (asked++ % 6 === 0) await target.sql`update identity.api_tokens set busy_until = now() - interval '1 hour'`;
    const token = tokens[isScope(kind as ApiScope) ? (kind as ApiScope) : "alerts:read"];
    const asking: [Who, Browser, string | undefined][] = [
      ["nobody", target.browser(), undefined],
      ["forged", forged, undefined],
      ["half way", half, undefined],
      ["ordinary", target.browser(new Map(alice.cookies)), undefined],
      ["wrong token", alice, `bb_${"x".repeat(43)}`],
      ["other scopes", alice, token],
    ];
    for (const [who, browser, bearer] of asking) {
      const expected = refusalOf(who, kind);
      if (expected === undefined) continue;
      const { status, code } = await browser.call(
        method,
        path,
        bearer ? { headers: { Authorization: `Bearer ${bearer}` } } : {},
      );
      cells += 1;
      if (`${status} ${code}` !== expected) wrong.push(`${route} for ${who}: ${status} ${code}, not ${expected}`);
    }
  }
  for (const one of wrong) console.error(`S20: ${one}`);
  return [
    atLeast("S20", "routes of the registry that are asked", all.length, 150),
    atMost("S20", `answers that are not the right refusal, of ${cells}`, wrong.length, 0),
  ];
}

/** All ids of an account's resources, from everything that the account itself can read. */
async function belongings(target: Target, alice: Person): Promise<string[]> {
  await alice.call("POST", "/api/associations", { body: tracked(alice.email, true, alice.email) });
  await alice.call("POST", "/api/associations", { body: tracked("s21-ward@example.org", false, alice.email) });
  await alice.call("POST", "/api/tokens", { body: { name: "Script", scopes: ["alerts:read"], days: 30 } });
  await alice.call("POST", "/api/support/tickets", {
    body: {
      key: crypto.randomUUID(),
      firstName: "Alice",
      lastName: "Meyer",
      email: alice.email,
      privacy: true,
      type: "other",
      priority: "low",
      subject: "A question",
      description: "How does it go?",
    },
  });
  await eventually("the first check is done", async () => {
    const { data } = await alice.call("GET", "/api/associations");
    return (data.items as { status: string }[])[0]?.status === "breached" || undefined;
  });
  const question = tokenIn(await mailTo(target, "s21-ward@example.org", /manage-invitation#t=/));
  await target
    .browser()
    .call("POST", "/api/invitation-links/accept", { body: { token: question, details: true, sensitive: true } });
  await eventually("the owner's yes has arrived where addresses are tracked", async () => {
    const waiting =
      await target.sql`select from tracking.association where account_id = ${alice.id} and consent = 'pending'`;
    return waiting.length === 0 || undefined;
  });
  const lists = [
    "associations",
    "alerts",
    "contacts",
    "sessions",
    "tokens",
    "invitations/sent",
    "grants/may-watch",
    "orders",
    "support/tickets",
  ];
  const seen = [];
  for (const list of lists) seen.push((await alice.call("GET", `/api/${list}`)).text);
  const text = seen.join(" ");
  return [
    ...new Set([
      ...(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []),
      ...(text.match(/\bBB-\w{4}-\w{4}\b/g) ?? []),
    ]),
  ];
}

const plain = ({ status, headers, text }: Answer): string => {
  const told = [...headers].filter(([name]) => !["x-request-id", "date", "ratelimit"].includes(name)).toSorted();
  return JSON.stringify([status, text, told]);
};

/** S21: foreign and unknown resources. */
export async function foreignIds(target: Target): Promise<Finding[]> {
  const alice = await person(target, "grace@example.com");
  const mallory = await person(target, "s21-mallory@example.net");
  const ids = await belongings(target, alice);
  const before = await stateOf(target, alice);
  const operations = (await operationsOf(target)).filter(({ path }) => /\{(id|reference)\}/.test(path));
  const random = seeded(21);
  const differing: string[] = [];
  for (const { id: name, method, path, body } of operations)
    for (const id of ids) {
      const raw = body === undefined ? undefined : JSON.stringify(valid(body, random));
      const never = id.startsWith("BB-") ? "BB-2222-2222" : NOBODY;
      const ask = (one: string) => mallory.call(method, path.replace(/\{\w+\}/, one), raw === undefined ? {} : { raw });
      const [theirs, nobodys] = [await ask(id), await ask(never)];
      if (plain(theirs) !== plain(nobodys) || (method !== "GET" && theirs.status < 400))
        differing.push(`${name} ${id}: ${theirs.status} ${theirs.code}`);
    }
  const guards: [string, string][] = [
    ...ids.map((id): [string, string] => [
      `/api/check-user-belong-association/?association_id=${id}`,
      `/api/check-user-belong-association/?association_id=${NOBODY}`,
    ]),
    [
      `/api/check-user-autorizzato-monitoraggio/?child_email=${alice.email}`,
      "/api/check-user-autorizzato-monitoraggio/?child_email=never@example.org",
    ],
    [`/api/monitoring?child_email=${alice.email}`, "/api/monitoring?child_email=never@example.org"],
  ];
  for (const [theirs, nobodys] of guards)
    if (plain(await mallory.call("GET", theirs)) !== plain(await mallory.call("GET", nobodys))) differing.push(theirs);
  const after = await stateOf(target, alice);
  for (const one of differing) console.error(`S21: ${one}`);
  return [
    atLeast("S21", "ids of another account that are tried", ids.length, 8),
    atMost(
      "S21",
      `answers that tell a foreign id from none, of ${operations.length} operations and ${guards.length} guards`,
      differing.length,
      0,
    ),
    atMost("S21", "rows of the other account that changed by it", Number(before !== after), 0),
  ];
}

/** An account's data, except for what changes by itself. */
async function stateOf({ sql }: Target, { id }: Person): Promise<string> {
  const parts = [
    await sql`select id, first_name, email, password_hash, default_contacts from identity.users where id = ${id}`,
    await sql`select id from identity.sessions where account_id = ${id} order by id`,
    await sql`select id, name from identity.api_tokens where account_id = ${id} order by id`,
    await sql`select id, language, contacts, paused, consent, scope from tracking.association where account_id = ${id} order by id`,
    await sql`select id, state, scope, version from invitations.invitation where inviter_id = ${id} order by id`,
    await sql`select id, state, version, note, steps from breaches.alert where account_id = ${id} order by id`,
    await sql`select id, state, settings from notifications.contact where account_id = ${id} order by id`,
  ];
  return JSON.stringify(parts);
}
