import type { EventOf } from "../../events/catalogue.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { BreachDeps } from "../ports.ts";
import { historySince } from "./alert_list.ts";
import { type AlertView, viewOf } from "./alerts.ts";

const SHOWN = 10;
const EPOCH = new Date(0);

/** `fresh` counts pending alerts raised or escalated since the account last looked, `pending` all of them. */
export type BellView = { items: AlertView[]; fresh: number; pending: number; seenAt: string | null };

/** The latest alerts of an account, shown on every screen. */
export function bell({ transaction, now }: BreachDeps) {
  return {
    showBell(accountId: string): Promise<Result<BellView>> {
      return transaction(async (store) => {
        const latest = await store.alerts.latest(accountId, historySince(now()), SHOWN);
        const seenAt = await store.seen.find(accountId);
        return ok({
          items: latest.map(viewOf),
          ...(await store.alerts.countNews(accountId, seenAt)),
          seenAt: seenAt?.toISOString() ?? null,
        });
      });
    },

    /** Marks alerts up to this time as seen, not later ones. */
    markSeen(accountId: string, until: Date): Promise<Result<{ fresh: number }>> {
      return transaction(async (store) => {
        const latest = until > now() ? now() : until;
        await store.seen.mark(accountId, latest < EPOCH ? EPOCH : latest);
        const { fresh } = await store.alerts.countNews(accountId, await store.seen.find(accountId));
        return ok({ fresh });
      });
    },

    /** Deletes the data that is stored per account rather than per association. */
    onDeleted({ accountId }: EventOf<"identity.deleted">): Promise<void> {
      return transaction(async ({ seen, drills, stale, traces, letters }) => {
        await seen.remove(accountId);
        await drills.end(accountId);
        await stale.end(accountId);
        await traces.remove(accountId);
        await letters.removeByAccount(accountId);
      });
    },
  };
}
