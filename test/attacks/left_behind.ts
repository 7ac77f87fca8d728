import { createHash } from "node:crypto";
import { PASSWORD } from "../e2e/api.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { classified } from "../personal/classes.ts";
import { COLUMNS } from "../personal/columns.ts";
import { allQuiet, mailTo, person, type Target, tokenIn, tracked } from "./target.ts";

const MARK = "s54marker";
const KEPT = new Set(classified(COLUMNS).flatMap(({ is, name }) => (is === "kept" ? [name] : [])));

/** The columns that contain one of these texts, ignoring case, in any row. */
async function columnsWith({ sql }: Target, traces: string[]): Promise<string[]> {
  const tables = await sql`select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'drizzle', 'public')`;
  const found = new Set<string>();
  for (const { schema, name } of tables)
    for (const { row } of await sql`select to_jsonb(t) as row from ${sql(`${schema}.${name}`)} as t`)
      for (const [column, value] of Object.entries(row as Record<string, unknown>)) {
        const text = JSON.stringify(value).toLowerCase();
        if (traces.some((trace) => text.includes(trace))) found.add(`${schema}.${name}.${column}`);
      }
  return [...found];
}

/** S54: nothing of an account is left once it is deleted. */
export async function leftBehind(target: Target): Promise<Finding[]> {
  const email = `${MARK}@example.com`;
  const alice = await person(target, email);
  const post = (path: string, body: object, process = 0) => alice.call("POST", path, { body, process });
  await alice.call("PUT", "/api/profile", {
    body: {
      firstName: `${MARK} Ada`,
      lastName: MARK,
      companyName: `${MARK} AG`,
      language: "en",
      defaultContacts: { email: [`${MARK}-team@example.net`], telegram: [`${MARK}_tg`] },
    },
  });
  await post("/api/associations", tracked(email, true, `${MARK}-friend@example.net`), 1);
  await post("/api/associations", tracked(`${MARK}-guest@example.org`, false, email));
  const question = tokenIn(await mailTo(target, `${MARK}-guest@example.org`, /manage-invitation#t=/));
  target.secrets.add(question);
  await target.browser().call("POST", "/api/invitation-links/accept", {
    body: { token: question, details: true, sensitive: false },
  });
  await post("/api/tokens", { name: `${MARK} script`, scopes: ["alerts:read"], days: 30 }).then(({ data }) =>
    target.secrets.add(String(data.token)),
  );
  await post("/api/support/tickets", {
    key: crypto.randomUUID(),
    firstName: MARK,
    lastName: MARK,
    email: `${MARK}-desk@example.net`,
    privacy: true,
    type: "other",
    priority: "low",
    subject: `${MARK} subject`,
    description: `${MARK} description`,
  });
  await post("/api/profile/email", { email: `${MARK}-new@example.com` }, 1);
  await post("/api/forgot-password", { email });
  await allQuiet(target);
  const digests = ["sha1", "sha256"].map((kind) => createHash(kind).update(email).digest("hex"));
  const traces = [MARK, alice.id, ...digests];
  const before = await columnsWith(target, traces);
  const gone = await post("/api/profile/delete", { password: PASSWORD }, 1);
  await allQuiet(target);
  const left = (await columnsWith(target, traces)).filter((column) => !KEPT.has(column));
  if (left.length > 0) console.error(`left behind: ${left.join(", ")}`);
  return [
    atLeast("S54", "columns that hold something of an account", before.length, 35),
    atMost("S54", "accounts that are not deleted", Number(gone.status !== 200), 0),
    atMost("S54", "columns that still do after it, but for those that are kept with a reason", left.length, 0),
  ];
}
