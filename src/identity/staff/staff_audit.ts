import type { EventOf } from "../../events/catalogue.ts";
import { ok, type Result } from "../../shared/result.ts";
import { type Shown, shown } from "../../shared/shown.ts";
import type { StaffObject } from "../../shared/staff.ts";
import type { IdentityDeps } from "../ports.ts";
import type { Cursor, StaffActFilter, StaffActRecord } from "./staff_ports.ts";

const PAGE = 50;

/** One entry of the log; instants in ISO 8601. Names are null where the account does not exist (any more). */
export type StaffActShown = Shown<Pick<StaffActRecord, "id" | "at" | "by" | "act" | "reason" | "detail">> & {
  actor: { id: string; name: string } | null;
  object: { kind: StaffObject["kind"]; id: string | null; name: string | null };
};

/** The staff's audit log: written by event, so that it commits with the action; read by the staff. */
export function staffAudit({ transaction }: IdentityDeps) {
  return {
    /** Idempotent. For an account deleted meanwhile only the action is kept, unless it is the deletion itself. */
    onStaffActed({ id, at, actor, act, object, reason, detail = {} }: EventOf<"staff.acted">): Promise<void> {
      return transaction(async ({ users, staffActs }) => {
        const actorId = actor.by === "staff" && (await users.find(actor.accountId)) ? actor.accountId : undefined;
        const isGone = object.kind === "account" && !(await users.find(object.id));
        const keeps = !isGone || act === "account_deleted";
        await staffActs.add({
          id,
          at: new Date(at),
          by: actor.by,
          actorId,
          act,
          objectKind: object.kind,
          objectId: isGone ? undefined : object.id,
          reason: keeps ? reason : undefined,
          detail: keeps ? detail : {},
        });
      });
    },

    /** Newest first; `next` is the next page's cursor. */
    staffActs(
      filter: StaffActFilter,
      after?: Cursor,
    ): Promise<Result<{ acts: StaffActShown[]; next: { at: string; id: string } | null }, never>> {
      return transaction(async ({ users, staffActs }) => {
        const found = await staffActs.list(filter, after, PAGE + 1);
        const page = found.slice(0, PAGE);
        const names = new Map<string, string>();
        for (const { actorId, objectKind, objectId } of page)
          for (const id of [actorId, objectKind === "account" ? objectId : undefined]) {
            if (id === undefined || names.has(id)) continue;
            const user = await users.find(id);
            if (user) names.set(id, user.email);
          }
        const acts = page.map(({ id, at, by, actorId, act, objectKind, objectId, reason, detail }) => ({
          ...shown({ id, at, by, act, reason, detail }),
          actor: actorId === undefined ? null : { id: actorId, name: names.get(actorId) ?? actorId },
          object: {
            kind: objectKind,
            id: objectId ?? null,
            name: objectId === undefined ? null : (names.get(objectId) ?? null),
          },
        }));
        const last = found.length > PAGE ? page.at(-1) : undefined;
        return ok({ acts, next: last ? { at: last.at.toISOString(), id: last.id } : null });
      });
    },
  };
}
