import { cleanUp } from "./clean_up.ts";
import { exporting } from "./export.ts";
import { grants } from "./grants.ts";
import { invite } from "./invite.ts";
import { links } from "./links.ts";
import { mailDue } from "./mail_due.ts";
import type { InvitationDeps } from "./ports.ts";

export type { InvitationDeps, InvitationStore } from "./ports.ts";

/** The consent of an address's owner: requested by mail, given within a scope, withdrawn at any time. */
export function createInvitations(deps: InvitationDeps) {
  return { ...invite(deps), ...links(deps), ...grants(deps), ...mailDue(deps), ...cleanUp(deps), ...exporting(deps) };
}

export type Invitations = ReturnType<typeof createInvitations>;
