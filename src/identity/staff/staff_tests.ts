import { fail, ok, type Result } from "../../shared/result.ts";
import type { IdentityDeps } from "../ports.ts";

const HOUR_MS = 3_600_000;
/** Per member of staff and hour: enough to mend a setting, too few to be a nuisance to a provider. */
export const STAFF_TESTS_PER_HOUR = 20;

/** Tests of channels and sources by staff, counted by their entries in the audit log. */
export function staffTests({ transaction, newId, now }: Pick<IdentityDeps, "transaction" | "newId" | "now">) {
  return {
    /** Audits a test before it is made: the entry is written here, as the next test counts it, and its event adds no other. The lock on the staff keeps concurrent tests within the limit. */
    noteTest(accountId: string, connection: string): Promise<Result<undefined, "NOT_FOUND" | "RATE_LIMITED">> {
      return transaction(async ({ users, staffActs, events }) => {
        if (!(await users.holdStaff()).includes(accountId)) return fail("NOT_FOUND");
        const act = "connection_tested";
        const from = new Date(now().getTime() - HOUR_MS);
        const filter = { actorId: accountId, act, objectId: undefined, from, until: undefined } as const;
        if ((await staffActs.list(filter, undefined, STAFF_TESTS_PER_HOUR)).length >= STAFF_TESTS_PER_HOUR)
          return fail("RATE_LIMITED", { retryAfter: HOUR_MS / 1000 });
        const [id, at] = [newId(), now()];
        await staffActs.add({
          id,
          at,
          by: "staff",
          actorId: accountId,
          act,
          objectKind: "installation",
          objectId: connection,
          reason: undefined,
          detail: {},
        });
        await events.publish({
          type: "staff.acted",
          id,
          at: at.toISOString(),
          actor: { by: "staff", accountId },
          act,
          object: { kind: "installation", id: connection },
        });
        return ok();
      });
    },
  };
}
