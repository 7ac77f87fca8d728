import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";
import type { Transaction } from "../../src/shared/transaction.ts";

/** A mail that the mail server has accepted. */
export type Sent = { delivery: string; messageId: string };
export type Row = {
  id: string;
  /** `alert:<id>` or `report:<association>`. */
  subject: string;
  /** The contents of a report. */
  alertIds: string[] | null;
  state: string;
  reason: string | null;
  messageId: string;
  inDoubt: boolean;
};
export type Kept = { alerts: { id: string; baseline: boolean }[]; rows: Row[] };
export type Expected = { people: number; breaches: number };

/** What the product says that it found and sent. */
export function keptIn(transaction: Transaction<Database>): Promise<Kept> {
  return transaction(async (tx) => ({
    alerts: await rowsOf(tx, sql`select id, baseline from breaches.alert`),
    rows: await rowsOf(
      tx,
      sql`select id, subject, about->'alertIds' as "alertIds", state, reason, message_id as "messageId", in_doubt as "inDoubt"
        from notifications.delivery where about->>'kind' in ('alert', 'report')`,
    ),
  }));
}

const isReport = ({ subject }: Row) => subject.startsWith("report:");

/** Alerts without a delivery: neither their own nor, for earlier breaches, a first report. */
function untold({ alerts, rows }: Kept): string[] {
  const subjects = new Set(rows.map(({ subject }) => subject));
  const reported = new Set(rows.flatMap(({ alertIds }) => alertIds ?? []));
  return alerts
    .filter(({ id, baseline }) => !(baseline ? reported.has(id) : subjects.has(`alert:${id}`)))
    .map(({ id }) => id);
}

/** Everything was found and is in the delivery log, and nothing is pending any more. */
export function isSettled(kept: Kept, { people, breaches }: Expected): boolean {
  return (
    kept.alerts.length >= people * breaches &&
    kept.rows.filter(isReport).length >= people &&
    untold(kept).length === 0 &&
    kept.rows.every(({ state }) => state !== "due" && state !== "sending")
  );
}

/** Each alert and each first report must be in the delivery log once, and at the mail server at least once. */
export function judge(kept: Kept, sent: Sent[], { people, breaches }: Expected) {
  const { alerts, rows } = kept;
  const mailsOf = Map.groupBy(sent, ({ delivery }) => delivery);
  const known = new Set(rows.map(({ id }) => id));
  const counts = [
    ["alerts", people * breaches - alerts.length],
    ["reports", people - rows.filter(isReport).length],
  ] as const;
  const twice = [...Map.groupBy(rows, ({ subject }) => subject)].filter(([, own]) => own.length > 1);
  return {
    lost: [
      ...counts.filter(([, missing]) => missing > 0).map(([what, missing]) => `${what}: ${missing} too few`),
      ...untold(kept).map((id) => `alert ${id}: told by nothing`),
      ...rows.filter(({ state }) => state !== "sent").map((row) => `${row.subject}: ${row.state} ${row.reason}`),
      ...rows.filter(({ id }) => !mailsOf.has(id)).map(({ subject }) => `${subject}: never reached the mail server`),
    ],
    unflagged: [
      ...counts.filter(([, missing]) => missing < 0).map(([what, missing]) => `${what}: ${-missing} too many`),
      ...twice.map(([subject]) => `${subject}: more than one delivery`),
      ...rows
        .filter(({ id, inDoubt }) => !inDoubt && (mailsOf.get(id)?.length ?? 0) > 1)
        .map(({ id }) => `${id}: sent twice`),
      ...[...mailsOf.keys()].filter((id) => !known.has(id)).map((id) => `${id}: sent, and not in the ledger`),
    ],
    renamed: rows
      .filter(({ id, messageId }) => mailsOf.get(id)?.some((mail) => mail.messageId !== messageId))
      .map(({ id, messageId }) => `${id}: not always ${messageId}`),
    extra: sent.length - mailsOf.size,
  };
}
