import type { MailRequested } from "../../events/catalogue.ts";
import type { StaffAct, StaffActor } from "../../shared/staff.ts";
import type { IdentityDeps, IdentityStore, User } from "../ports.ts";

export const COMMAND_LINE = { by: "command_line" } as const satisfies StaffActor;

type Told = {
  template: Extract<MailRequested["template"], `account_${string}`>;
  params?: Record<string, string>;
  /** The account no longer exists, so that the mail belongs to none. */
  isGone?: boolean;
};

/** What every action on an account ends with: its entry in the audit log, and usually a mail to the account's owner. */
export function staffNotes({ now, newId }: Pick<IdentityDeps, "now" | "newId">) {
  return {
    note(
      { events }: IdentityStore,
      act: StaffAct,
      { actor, accountId, reason }: { actor: StaffActor; accountId: string; reason?: string | undefined },
    ): Promise<void> {
      return events.publish({
        type: "staff.acted",
        id: newId(),
        at: now().toISOString(),
        actor,
        act,
        object: { kind: "account", id: accountId },
        ...(reason !== undefined && { reason }),
      });
    },

    tell(
      { events }: IdentityStore,
      { id, email, language }: User,
      { template, params = {}, isGone = false }: Told,
    ): Promise<void> {
      return events.publish({
        type: "mail.requested",
        to: email,
        language,
        template,
        params: { at: now().toISOString(), ...params },
        ...(!isGone && { accountId: id }),
      });
    },
  };
}
