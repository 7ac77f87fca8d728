import type { Delivery } from "../../ports.ts";
import type { deliveryTable } from "./tables.ts";

export type Row = typeof deliveryTable.$inferSelect;

export function deliveryOf({ channel, value, ...row }: Row): Delivery {
  return {
    ...row,
    recipient: { channel, value },
    contactId: row.contactId ?? undefined,
    accountId: row.accountId ?? undefined,
    sealed: row.sealed ?? undefined,
    notAfter: row.notAfter ?? undefined,
    reason: row.reason ?? undefined,
    endedAt: row.endedAt ?? undefined,
    failingSince: row.failingSince ?? undefined,
    providerId: row.providerId ?? undefined,
    receipt: row.receipt ?? undefined,
    acknowledgedAt: row.acknowledgedAt ?? undefined,
    wantedAt: row.wantedAt ?? undefined,
    gatheredIn: row.gatheredIn ?? undefined,
    leaseToken: row.leaseToken ?? undefined,
    leaseUntil: row.leaseUntil ?? undefined,
  };
}

export function rowOf({ recipient, ...delivery }: Delivery): Row {
  return {
    ...delivery,
    channel: recipient.channel,
    value: recipient.value,
    contactId: delivery.contactId ?? null,
    accountId: delivery.accountId ?? null,
    sealed: delivery.sealed ?? null,
    notAfter: delivery.notAfter ?? null,
    reason: delivery.reason ?? null,
    endedAt: delivery.endedAt ?? null,
    failingSince: delivery.failingSince ?? null,
    providerId: delivery.providerId ?? null,
    receipt: delivery.receipt ?? null,
    acknowledgedAt: delivery.acknowledgedAt ?? null,
    wantedAt: delivery.wantedAt ?? null,
    gatheredIn: delivery.gatheredIn ?? null,
    leaseToken: delivery.leaseToken ?? null,
    leaseUntil: delivery.leaseUntil ?? null,
  };
}
