import type { Origin } from "../../events/catalogue.ts";
import { ipPrefix } from "../../shared/ip_bucket.ts";
import type { IdentityDeps, IdentityStore, Visitor } from "../ports.ts";
import type { AuditEvent } from "./audit_ports.ts";

const MARK_LENGTH = 12;

/** What the audit log keeps of a session's token: enough to tell sessions apart, useless to anybody who reads it. */
export function sessionMarkOf({ hashToken }: Pick<IdentityDeps, "hashToken">, token: string): string {
  return hashToken(token).slice(0, MARK_LENGTH);
}

/** Where a request comes from, as far as the account's owner has to recognise it. */
export function originOf({ ip, device = {} }: Visitor): Origin {
  return { ipPrefix: ipPrefix(ip), device };
}

/** Writes down what happened, in the transaction in which it happened. */
export function auditor(deps: Pick<IdentityDeps, "newId" | "now" | "hashToken">) {
  return async function record(
    { audit }: Pick<IdentityStore, "audit">,
    event: AuditEvent["event"],
    of: { accountId: string | undefined; client?: Visitor; from?: Origin; detail?: AuditEvent["detail"] },
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

/** What happened to an account and what the staff did stays; who it was goes. In the transaction that removes it. */
export async function forgetPerson(
  { audit, staffActs }: Pick<IdentityStore, "audit" | "staffActs">,
  accountId: string,
): Promise<void> {
  await audit.forget(accountId);
  await staffActs.forget(accountId);
}
