import type { Origin } from "../../events/catalogue.ts";
import { ipPrefix } from "../../shared/ip_bucket.ts";
import type { IdentityDeps, IdentityStore, Visitor } from "../ports.ts";
import type { AuditEvent } from "./audit_ports.ts";

const MARK_LENGTH = 12;

/** A short prefix of the token's hash for the audit log: enough to tell sessions apart, useless to an attacker. */
export function sessionMarkOf({ hashToken }: Pick<IdentityDeps, "hashToken">, token: string): string {
  return hashToken(token).slice(0, MARK_LENGTH);
}

/** The coarse origin of a request, for the account's owner to recognise. */
export function originOf({ ip, device = {} }: Visitor): Origin {
  return { ipPrefix: ipPrefix(ip), device };
}

/** Writes audit events in the transaction of the event itself. */
export function auditor(deps: Pick<IdentityDeps, "newId" | "now" | "hashToken">) {
  return async function record(
    { audit }: Pick<IdentityStore, "audit">,
    event: AuditEvent["event"],
    of: { accountId: string | undefined; client?: Visitor | undefined; from?: Origin; detail?: AuditEvent["detail"] },
  ): Promise<void> {
    const { accountId, client, from = client && originOf(client), detail = {} } = of;
    await audit.add({
      id: deps.newId(),
      at: deps.now(),
      accountId,
      event,
      sessionMark: client?.token === undefined ? undefined : sessionMarkOf(deps, client.token),
      ipPrefix: from?.ipPrefix,
      device: from?.device ?? {},
      detail,
    });
  };
}

/** Anonymises the audit log and the staff's log in the transaction that removes the account. */
export async function forgetPerson(
  { audit, staffActs }: Pick<IdentityStore, "audit" | "staffActs">,
  accountId: string,
): Promise<void> {
  await audit.forget(accountId);
  await staffActs.forget(accountId);
}

/** Removes the account if its email is not proven; other modules delete their data on the event. */
export async function removeUnproven(store: IdentityStore, accountId: string): Promise<void> {
  if (!(await store.users.removeUnverified(accountId))) return;
  await forgetPerson(store, accountId);
  await store.events.publish({ type: "identity.deleted", accountId });
}
