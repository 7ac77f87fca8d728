import type { MailRequested } from "../../events/catalogue.ts";
import type { IdentityDeps, IdentityStore, User, Visitor } from "../ports.ts";
import { auditor } from "./audit.ts";
import type { AuditEvent } from "./audit_ports.ts";

/** A mail to an account's owner. */
export function mailTo(
  { id, email, language }: User,
  content: Pick<MailRequested, "template" | "params" | "sealed" | "notAfter">,
): MailRequested {
  return { type: "mail.requested", to: email, language, accountId: id, ...content };
}

/** A change of an account's security, which has a sentence of its own in the mail. */
export type SecurityChange = {
  event: Extract<
    AuditEvent["event"],
    | "authenticator_added"
    | "authenticator_removed"
    | "passkey_added"
    | "passkey_removed"
    | "recovery_codes_made"
    | "recovery_code_used"
    | "provider_linked"
    | "provider_unlinked"
    | "api_token_created"
  >;
  detail?: AuditEvent["detail"];
};

/** Records the change, and mails the account's owner. */
export function securityNotice(deps: Pick<IdentityDeps, "newId" | "now" | "hashToken">) {
  const record = auditor(deps);
  return async function tell(
    store: IdentityStore,
    user: User,
    { event, client, detail = {} }: SecurityChange & { client?: Visitor | undefined },
  ): Promise<void> {
    await record(store, event, { accountId: user.id, client, detail });
    const params = { change: event, ...detail, at: deps.now().toISOString() };
    await store.events.publish(mailTo(user, { template: "security_changed", params }));
  };
}
