import type { Channel } from "../../shared/contacts.ts";
import { ok, type Result } from "../../shared/result.ts";
import { shown } from "../../shared/shown.ts";
import type { Transaction } from "../../shared/transaction.ts";
import type { AlertFactsOf, Delivery, NotificationStore, StoreAndClock } from "../ports.ts";
import type { TriedDelivery } from "./delivery_log_ports.ts";

/** A message to a contact as shown to the account; instants in ISO 8601. */
export type DeliveryLogRow = {
  id: string;
  contactId: string | null;
  channel: Channel;
  value: string;
  kind: string;
  state: "queued" | "sending" | "accepted" | "retrying" | "refused" | "skipped" | "waiting";
  /** The reason of its state, as a key of texts; null if there is nothing to explain. */
  reason: NonNullable<Delivery["reason"]> | null;
  /** The provider's own message. */
  detail: string | null;
  at: string;
  nextTryAt: string | null;
  tries: number;
  /** The message may have been sent twice. */
  inDoubt: boolean;
  /** The provider's id. */
  providerId: string | null;
  /** When it was acknowledged on a device; null if the provider does not report that. */
  acknowledgedAt: string | null;
};

/** `digest`: the message that includes it, whose state then applies. */
export function deliveryLogRow(delivery: TriedDelivery, digest?: TriedDelivery): DeliveryLogRow {
  if (digest) return { ...deliveryLogRow(digest), id: delivery.id };
  const { id, contactId, recipient, about, tries, reason, endedAt, createdAt, inDoubt, providerId, acknowledgedAt } =
    delivery;
  const state = stateOf(delivery);
  const last = tries.at(-1);
  return {
    ...shown({ id, contactId, inDoubt, providerId, acknowledgedAt }),
    channel: recipient.channel,
    value: recipient.value,
    kind: about.kind,
    state,
    reason: state === "accepted" ? null : (reason ?? null),
    detail: state === "accepted" ? null : (last?.detail ?? null),
    at: (endedAt ?? last?.endedAt ?? createdAt).toISOString(),
    nextTryAt: state === "retrying" || state === "queued" ? delivery.runAt.toISOString() : null,
    tries: tries.length,
  };
}

function stateOf({ state, reason }: Delivery): DeliveryLogRow["state"] {
  switch (state) {
    case "due":
      return reason === "retry" || reason === "refused" ? "retrying" : "queued";
    case "sending":
      return "sending";
    case "sent":
      return "accepted";
    case "held":
      return "waiting";
    case "dead":
      return "refused";
    case "cancelled":
      return "skipped";
  }
}

/** A message as shown to the account whose contact it went to; `label` is the contact's name. */
export type NamedDeliveryRow = DeliveryLogRow & { label: string | null };

/** Adds the names of the contacts. */
export async function named(
  transaction: Transaction<NotificationStore>,
  rows: DeliveryLogRow[],
): Promise<NamedDeliveryRow[]> {
  const ids = [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))];
  const contacts = ids.length === 0 ? [] : await transaction((store) => store.contacts.listByIds(ids));
  const labels = new Map(contacts.map(({ id, label }) => [id, label]));
  return rows.map((row) => ({ ...row, label: labels.get(row.contactId ?? "") ?? null }));
}

/** `removedAfterDays`: there were messages, but so old that their records have been removed. */
type AlertDeliveries = { items: NamedDeliveryRow[]; removedAfterDays?: number };

const DAY_MS = 24 * 3_600_000;

type Needs = StoreAndClock & { alertFacts: AlertFactsOf; keptDays?: number | undefined };

/** The deliveries of an account's alerts. */
export function deliveryLog({ transaction, alertFacts, keptDays, now }: Needs) {
  /** The digests that these were included in. */
  async function digestsOf(accountId: string, rows: TriedDelivery[]): Promise<Map<string, TriedDelivery>> {
    const ids = rows.flatMap(({ gatheredIn }) => gatheredIn ?? []);
    const found = ids.length === 0 ? [] : await transaction((store) => store.deliveryLog.listByIds(accountId, ids));
    return new Map(found.map((digest) => [digest.id, digest]));
  }

  return {
    /** All messages about one alert of the account, oldest first; empty for another account's alert. */
    async listAlertDeliveries(accountId: string, alertId: string): Promise<Result<AlertDeliveries>> {
      const [facts] = await alertFacts.of([alertId]);
      if (facts?.accountId !== accountId) return ok({ items: [] });
      const { associationId } = facts;
      const rows = await transaction((store) => store.deliveryLog.listOfAlert(accountId, { alertId, associationId }));
      const isOld = keptDays !== undefined && now().getTime() - Date.parse(facts.raisedAt) > keptDays * DAY_MS;
      if (rows.length === 0 && isOld) return ok({ items: [], removedAfterDays: keptDays });
      const digests = await digestsOf(accountId, rows);
      const items = rows.map((row) => deliveryLogRow(row, digests.get(row.gatheredIn ?? "")));
      return ok({ items: await named(transaction, items) });
    },
  };
}
