import { normaliseEmail } from "../../shared/email_address.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { IdentityDeps } from "../ports.ts";

export const INVITED_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
const PURPOSE = "registration";

type Deps = Pick<IdentityDeps, "mac" | "hashToken" | "now" | "registration">;
export type RegistrationRefusal = "REGISTRATION_CLOSED" | "REGISTRATION_INVITE_ONLY" | "REGISTRATION_LINK_INVALID";

/**
 * Who may register. A link from the operator names one address and a time, both signed: it needs no row, and the address can
 * have only one account.
 */
export function registrationGate({ mac, hashToken, now, registration: { mode, domains } }: Deps) {
  function tokenFor(email: string, until: number): string {
    const claim = `${Buffer.from(email).toString("base64url")}.${until.toString(36)}`;
    return `${claim}.${mac(PURPOSE, claim)}`;
  }

  /** The invited address, or undefined for a link that is made up or too old. */
  function invitedBy(token: string): string | undefined {
    const [name = "", time = ""] = token.split(".");
    const email = normaliseEmail(Buffer.from(name, "base64url").toString());
    const until = Number.parseInt(time, 36);
    if (email === undefined || !(until > now().getTime())) return undefined;
    // Compares hashes, as comparing tokens directly would leak through timing how much of a guess is right.
    return hashToken(tokenFor(email, until)) === hashToken(token) ? email : undefined;
  }

  return {
    /** A link for this address; `days` from now. */
    invite: (email: string, days: number): string => tokenFor(email, now().getTime() + days * DAY_MS),

    invitedBy,

    /** Whether this address may register; refusals that concern the address are at its field. */
    admits(email: string, invitation: string | undefined): Result<undefined, RegistrationRefusal | "INVALID_INPUT"> {
      if (invitation !== undefined) {
        const invited = invitedBy(invitation);
        if (invited === undefined) return fail("REGISTRATION_LINK_INVALID");
        if (invited === email) return ok();
        return fail("INVALID_INPUT", { fields: { email: "REGISTRATION_OTHER_EMAIL" } });
      }
      if (mode === "closed") return fail("REGISTRATION_CLOSED");
      if (mode === "invite") return fail("REGISTRATION_INVITE_ONLY");
      const domain = email.slice(email.lastIndexOf("@") + 1);
      if (domains.length === 0 || domains.includes(domain)) return ok();
      return fail("INVALID_INPUT", { fields: { email: "REGISTRATION_DOMAIN" } });
    },
  };
}

/** For the operator and for the page of a link. */
export function registrationLinks(deps: IdentityDeps) {
  const { transaction, newId, now } = deps;
  const gate = registrationGate(deps);
  return {
    /** A link for this address, whatever the mode; refused for an address that has a proven account. */
    inviteToRegister(email: string, days = INVITED_DAYS): Promise<Result<{ token: string }, "EMAIL_TAKEN">> {
      return transaction(async ({ users, events }) => {
        if ((await users.findByEmail(email))?.verifiedAt) return fail("EMAIL_TAKEN");
        await events.publish({
          type: "staff.acted",
          id: newId(),
          at: now().toISOString(),
          actor: { by: "command_line" },
          act: "account_invited",
          object: { kind: "installation", id: "registration" },
        });
        return ok({ token: gate.invite(email, days) });
      });
    },

    /** The address that a link invites. */
    inspectInvitation(token: string): Result<{ email: string }, "REGISTRATION_LINK_INVALID"> {
      const email = gate.invitedBy(token);
      return email === undefined ? fail("REGISTRATION_LINK_INVALID") : ok({ email });
    },
  };
}
