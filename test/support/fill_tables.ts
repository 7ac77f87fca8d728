import postgres from "postgres";

/** Tables that grow with the number of monitored addresses. */
const LARGE = [
  ...["identity.users", "tracking.association", "billing.subscription", "invitations.invitation"],
  ...["breaches.watch", "breaches.scan", "breaches.alert_count", "notifications.contact", "notifications.delivery"],
];
/**
 * Tables that stay small however many addresses are monitored (sources, channels, jobs, days), or that hold pending
 * work, of which there is none here.
 */
const SMALL = [
  ...["breaches.source", "breaches.breach", "breaches.logo", "breaches.rate_budget", "breaches.change"],
  ...["breaches.dataset", "breaches.dataset_block", "breaches.import", "events.outbox", "notifications.channel"],
  ...["notifications.delivery_day", "breaches.stale_notice"],
];

/** Sequential ids, which are much faster to index. */
const UUID = "('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid";

/** Settled rows: long done or far in the future, so that no job has anything to do. */
const SETTLED: Record<string, Record<string, string>> = {
  "identity.users": { verified_at: "now()" },
  // Each account's own, verified email.
  "tracking.association": { contacts: `'[]'`, address: "'email' || lpad(n::text, 9, '0')" },
  "billing.subscription": { ends_at: "now() + interval '1 year'" },
  "breaches.watch": {
    address: "'address' || lpad(((n + 1) / 2)::text, 9, '0')",
    baseline_at: "now()",
    sha1: "md5(n::text)",
    sha256: "md5(n::text)",
  },
  "breaches.scan": {
    address: "'address' || lpad(((n + 1) / 2)::text, 9, '0')",
    source: "case n % 2 when 0 then 'bundled' else 'dataset' end",
    due_at: "now() + interval '7 days'",
    checked_at: "now()",
    generation: "1000",
  },
  "breaches.exposure": { breach_name: "(select min(name) from breaches.breach)", sources: `'{bundled}'` },
  "breaches.alert": {
    breach_name: "(select min(name) from breaches.breach)",
    state: `'handled'`,
    handled_at: "now()",
  },
  "notifications.contact": { channel: `'email'`, state: `'active'`, confirmed_at: "now()", language: `'en'` },
  "notifications.delivery": {
    channel: `'email'`,
    state: `'sent'`,
    ended_at: "now()",
    language: `'en'`,
    lane: "1",
    account_id: "gen_random_uuid()",
    about: `'{"kind":"alert"}'`,
  },
  "invitations.invitation": { state: `'accepted'` },
};

type Column = { name: string; type: string; nullable: boolean; fallback: string | null; generated: boolean };

function valueFor(column: Column, given: string | undefined): string | undefined {
  if (given !== undefined) return given;
  if (column.generated || column.nullable || column.fallback !== null) return undefined;
  if (/(expires|until|not_after|_end|delete|due)/.test(column.name) && /time/.test(column.type))
    return "now() + interval '1 year'";
  if (/^timestamp/.test(column.type)) return "now()";
  if (column.type === "date") return "current_date - n";
  if (column.type === "uuid") return UUID;
  if (column.type === "jsonb") return `'{}'`;
  if (column.type === "boolean") return "false";
  if (column.type === "bytea") return "'x'";
  if (column.type === "ARRAY") return `'{}'`;
  return /int|numeric|double|real/.test(column.type) ? "n % 1000" : `'${column.name}' || lpad(n::text, 9, '0')`;
}

/** Fills and analyses every table except the small ones; returns the row count of each. */
export async function fillTables(url: string, rows: { many: number; some: number }): Promise<Map<string, number>> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client.unsafe("set session_replication_role = replica");
  const columns = await client<(Column & { table: string })[]>`
    select columns.table_schema || '.' || columns.table_name as table, column_name as name, data_type as type,
      is_nullable = 'YES' as nullable, column_default as fallback, is_identity = 'YES' as generated
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where columns.table_schema not in ('pg_catalog', 'information_schema', 'drizzle', 'public') and table_type = 'BASE TABLE'`;
  const filled = new Map<string, number>();
  for (const [table, its] of Map.groupBy(columns, ({ table }) => table)) {
    if (SMALL.includes(table) || /^operations\./.test(table)) continue;
    const values = its.flatMap((column) => {
      const value = valueFor(column, SETTLED[table]?.[column.name]);
      return value === undefined ? [] : [[column.name, value] as const];
    });
    const count = LARGE.includes(table) ? rows.many : rows.some;
    const names = values.map(([name]) => `"${name}"`).join(", ");
    await client.unsafe(
      `insert into ${table} (${names}) select ${values.map(([, value]) => value).join(", ")} from generate_series(1, ${count}) n on conflict do nothing`,
    );
    filled.set(table, count);
  }
  await client.unsafe("analyze");
  await client.end();
  return filled;
}
