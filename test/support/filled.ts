import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { rowsOf, tablesOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";

/** Text that breaks careless serialisation: escapes, line breaks, quotes, the word "null", a byte order mark. */
export const NASTY = '\uFEFF\\N tab\tline\nreturn\r "quoted" \'single\' back\\slash {a,"b"} 🔔 é ';

/** The id of row `row`, as primary key and as foreign key in other tables. */
export function idOf(kind: string, row: number): string {
  const hex = createHash("md5").update(`${kind} ${row}`).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const KINDS: Record<string, string> = {
  account_id: "users",
  inviter_id: "users",
  actor_id: "users",
  association_id: "association",
  delivery_id: "delivery",
  contact_id: "contact",
  invitation_id: "invitation",
  alert_id: "alert",
  challenge_id: "login_codes",
};

const email = (row: number) => `person${row}@example.com`;
/** Columns that only accept certain values. */
const WORDS: Record<string, (row: number) => unknown> = {
  "identity.users.email": email,
  "notifications.contact.value": email,
  "notifications.delivery.value": email,
  "identity.sessions.level": () => "full",
  "breaches.alert.state": () => "pending",
  "notifications.contact.state": (row) => (row === 0 ? "unconfirmed" : "active"),
  "notifications.delivery.state": (row) => ["due", "sending", "held", "sent"][row % 4],
  "notifications.delivery.reason": (row) => (row % 4 === 2 ? "misconfigured" : null),
  "notifications.delivery.about": () => ({ kind: "test" }),
  "notifications.delivery.sealed": () => null,
  "notifications.delivery.not_after": () => null,
  "notifications.delivery.gathered_in": () => null,
  "invitations.invitation.state": () => "accepted",
  "invitations.invitation.kind": () => "invitation",
  "billing.subscription.plan": () => "personal",
  "events.outbox.event": (row) => ({
    type: "identity.registered",
    accountId: idOf("users", row),
    email: email(row),
    language: "en",
  }),
  "events.outbox.done_by": () => [],
  "identity.sessions.link": () => null,
  "notifications.telegram_link.used_at": () => null,
  // Tables with at most one row.
  "operations.maintenance.is_on": () => true,
  "backup.installation.is_only": () => true,
  "backup.schedule.is_only": () => true,
  "notifications.push_key.is_only": () => true,
};
const SAME_EVERYWHERE: Record<string, (row: number) => unknown> = {
  address: email,
  language: () => "en",
  channel: () => "email",
  breach_name: (row) => `Breach${row}`,
  default_contacts: () => [],
  contacts: () => [],
  scope: () => ({ details: true, sensitive: false }),
  device: () => ({}),
  source: (row) => ["bundled", "hibp", "xposedornot", "dataset"][row % 4],
};

type Column = { table: string; column: string; type: string; always: boolean; home: string | null };

function anyValue({ table, column, type, home }: Column, row: number): unknown {
  const kind = column === "id" && type === "uuid" ? (table.split(".")[1] ?? "") : (home ?? KINDS[column]);
  const worded = WORDS[`${table}.${column}`] ?? SAME_EVERYWHERE[column];
  if (worded) return worded(row);
  if (kind && type === "uuid") return idOf(kind, row);
  const instant = new Date(Date.UTC(2026, 10, 1, 0, 0, row, 123)).toISOString();
  const name = `${table}.${column} ${row}`;
  if (type === "uuid") return idOf(name, row);
  if (type === "text") return `${name} ${NASTY}`;
  if (type === "boolean") return row % 2 === 0;
  if (type === "jsonb") return { [name]: [NASTY, null, 1.5, true] };
  if (type === "bytea") return `\\x00ff0a5c0d${row.toString(16).padStart(4, "0")}`;
  if (type === "text[]") return [NASTY, "plain"];
  if (type === "integer[]") return [row, 1, 2];
  if (type === "date") return `2026-11-${String((row % 28) + 1).padStart(2, "0")}`;
  if (type.startsWith("timestamp")) return instant;
  if (type === "bigint") return 4_000_000_000 + row;
  if (type === "integer" || type === "smallint") return row + 1;
  throw new Error(`Cannot think of a value of the type "${type}" (${name})`);
}

/** Inserts rows into every table, whatever the release; foreign keys refer to existing rows. */
export async function fillEveryTable(tx: Database, rows: number): Promise<void> {
  const columns = await rowsOf<Column>(
    tx,
    sql`select n.nspname || '.' || c.relname as table, a.attname::text as column, a.attidentity = 'a' as always,
      regexp_replace(format_type(a.atttypid, a.atttypmod), '\\(\\d+\\)', '') as type,
      (select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid and f.conkey = array[a.attnum]) as home
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  );
  for (const { name } of await tablesOf(tx)) {
    const own = columns.filter(({ table, always }) => table === name && !always);
    const values = Array.from({ length: rows }, (_, row) =>
      Object.fromEntries(own.map((column) => [column.column, anyValue(column, row)])),
    );
    const list = own.map(({ column }) => `"${column}"`).join(", ");
    await tx.execute(
      sql`${sql.raw(`insert into ${name} (${list}) select ${list} from json_populate_recordset(null::${name}, `)}${JSON.stringify(values)}::json) on conflict do nothing`,
    );
  }
}
