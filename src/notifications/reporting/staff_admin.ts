import { fail, ok, type Result } from "../../shared/result.ts";
import { shown } from "../../shared/shown.ts";
import type { StaffActor } from "../../shared/staff.ts";
import { attentionFirst, masked } from "../contacts/contact.ts";
import type { StoreAndClock } from "../ports.ts";
import { deliveryLogRow } from "./delivery_log.ts";

const SHOWN = 10;
const CONTACTS_SHOWN = 25;

/** Messages for staff, with masked contacts and without content. */
export function staffDeliveries({ transaction, newId, now }: StoreAndClock & { newId: () => string }) {
  return {
    /** An account's contacts with their health, those that need attention first, and the latest deliveries. */
    async standingOf(accountId: string) {
      return transaction(async ({ contacts, deliveryAdmin, deliveryLog }) => {
        const all = await contacts.list(accountId);
        const first = attentionFirst(all).slice(0, CONTACTS_SHOWN);
        const health = await deliveryLog.healthOf(first.map(({ id }) => id));
        const latest = await deliveryAdmin.listOfAccount(accountId, 0, SHOWN);
        return {
          contactCount: all.length,
          contacts: first.map(({ id, channel, value, state }) => {
            const { lastSentAt, lastFailure, waiting = 0 } = health.get(id) ?? {};
            const failure = lastFailure ? shown(lastFailure) : null;
            return {
              ...shown({ id, channel, state, waiting, lastSentAt }),
              value: masked({ channel, value }),
              failure,
            };
          }),
          deliveries: latest.deliveries.map((delivery) => {
            const { id, channel, kind, state, reason, at } = deliveryLogRow(delivery);
            return { id, channel, value: masked(delivery.recipient), kind, state, reason, at };
          }),
        };
      });
    },

    /** Retries a dead message, and audits who asked for it. */
    async resendAs(id: string, actor: StaffActor): Promise<Result<Record<string, never>, "NOT_FOUND">> {
      return transaction(async ({ deliveries, events }) => {
        if (!(await deliveries.reviveDead(id, now()))) return fail("NOT_FOUND");
        await events.publish({
          type: "staff.acted",
          id: newId(),
          at: now().toISOString(),
          actor,
          act: "message_resent",
          object: { kind: "message", id },
        });
        return ok({});
      });
    },
  };
}
