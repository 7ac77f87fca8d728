import { normaliseEmail } from "../../shared/email_address.ts";
import { isAtAllowedDomain } from "../../shared/registration.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { IdentityDeps } from "../ports.ts";

export const INVITED_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
const FIRST_DAYS = 1;
const [PURPOSE, FIRST] = ["registration", "first account"];

type Deps = Pick<IdentityDeps, "mac" | "hashToken" | "now" | "registration">;
export type RegistrationRefusal = "REGISTRATION_CLOSED" | "REGISTRATION_INVITE_ONLY" | "REGISTRATION_LINK_INVALID";

/** What a link allows: an account of this address, or the installation's first account, which becomes staff. */
type Allowed = { email: string } | { email: undefined };

/**
 * Who may register. A link from the operator names one address and a time, both signed: it needs no row, and the address can
 * have only one account. The link of the start names no address, and works while nobody has a proven account.
 */
export function registrationGate({ mac, hashToken, now, registration }: Deps) {
  function tokenFor({ email }: Allowed, until: number): string {
    const claim = `${Buffer.from(email ?? "").toString("base64url")}.${until.toString(36)}`;
    return `${claim}.${mac(email === undefined ? FIRST : PURPOSE, claim)}`;
  }

  /** Undefined for a link that is made up or too old. */
  function allowedBy(token: string): Allowed | undefined {
    const [name = "", time = ""] = token.split(".");
    const email = name === "" ? undefined : normaliseEmail(Buffer.from(name, "base64url").toString());
    const until = Number.parseInt(time, 36);
    if (!(until > now().getTime())) return undefined;
    // Compares hashes, as comparing tokens directly would leak through timing how much of a guess is right.
    return hashToken(tokenFor({ email }, until)) === hashToken(token) ? { email } : undefined;
  }

  return {
    /** A link for this address; `days` from now. */
    invite: (email: string, days: number): string => tokenFor({ email }, now().getTime() + days * DAY_MS),

    /** A link for the first account. */
    inviteFirst: (): string => tokenFor({ email: undefined }, now().getTime() + FIRST_DAYS * DAY_MS),

    allowedBy,

    /**
     * Whether this address may register; refusals that concern the address are at its field. `isFirst`: as the first account, if
     * nobody has a proven one.
     */
    admits(
      email: string,
      invitation: string | undefined,
    ): Result<{ isFirst: boolean }, RegistrationRefusal | "INVALID_INPUT"> {
      if (invitation !== undefined) {
        const allowed = allowedBy(invitation);
        if (allowed === undefined) return fail("REGISTRATION_LINK_INVALID");
        if (allowed.email === undefined || allowed.email === email) return ok({ isFirst: allowed.email === undefined });
        return fail("INVALID_INPUT", { fields: { email: "REGISTRATION_OTHER_EMAIL" } });
      }
      if (registration.mode === "closed") return fail("REGISTRATION_CLOSED");
      if (registration.mode === "invite") return fail("REGISTRATION_INVITE_ONLY");
      if (isAtAllowedDomain(registration, email)) return ok({ isFirst: false });
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

    /** A link for the first account of the installation, which becomes staff; undefined once somebody has a proven account. */
    inviteFirst(): Promise<string | undefined> {
      return transaction(async ({ users }) => ((await users.hasVerified()) ? undefined : gate.inviteFirst()));
    },

    /** The address that a link invites, or null and `staff` for the link to the first account. */
    async inspectInvitation(
      token: string,
    ): Promise<Result<{ email: string | null; staff: boolean }, "REGISTRATION_LINK_INVALID">> {
      const allowed = gate.allowedBy(token);
      if (allowed?.email !== undefined) return ok({ email: allowed.email, staff: false });
      if (!allowed || (await transaction(({ users }) => users.hasVerified()))) return fail("REGISTRATION_LINK_INVALID");
      return ok({ email: null, staff: true });
    },
  };
}
