import { ipBucket } from "../../shared/ip_bucket.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { lookAtStrangerMail } from "../../shared/stranger_mail.ts";
import type { RegisterInput } from "../inputs.ts";
import type { IdentityDeps, User, Visitor } from "../ports.ts";
import { countersOf } from "../sign_in/attempts.ts";
import { claimOf, type MailLimited, mailLimited } from "../sign_in/login_code.ts";
import { newAccounts } from "./new_account.ts";
import { weaknessOf } from "./password.ts";
import { type RegistrationRefusal, registrationGate } from "./registration_gate.ts";

type Refusal = "RATE_LIMITED" | "EMAIL_TAKEN" | MailLimited;

/** Registration. It does not sign in: the first code that is entered proves the email. */
export function register(deps: IdentityDeps) {
  const { transaction, passwords, drainFor, mac, now, newId, termsVersion: inForce, breachedPasswords } = deps;
  const addAccount = newAccounts(deps);
  const { admits } = registrationGate(deps);
  const taken = () => fail("EMAIL_TAKEN", { fields: { email: "EMAIL_TAKEN" } });

  /** Whether somebody may register this email from there; the value is the unproven account that has it. */
  async function admit(email: string, ip: string): Promise<Result<User | undefined, Refusal>> {
    const admitted = await transaction(async ({ attempts, users }) => {
      const wait = await countersOf(attempts, mac, now()).count("registerIp", ipBucket(ip));
      return wait > 0 ? fail("RATE_LIMITED", { retryAfter: wait }) : ok(await users.findByEmail(email));
    });
    if (!admitted.ok) return admitted;
    if (admitted.value?.verifiedAt) return taken();
    // Checked before anything is created, as the account's code could not be mailed.
    const limit = await transaction(({ strangerMail }) =>
      lookAtStrangerMail(strangerMail, claimOf(mac, email, ip), now()),
    );
    return limit ? mailLimited(limit, now()) : admitted;
  }

  /** What can be said without asking anybody. */
  function check(input: RegisterInput): Result<{ isFirst: boolean }, RegistrationRefusal | "INVALID_INPUT"> {
    const allowed = admits(input.email, input.invitation);
    if (!allowed.ok) return allowed;
    const weakness = weaknessOf(input, deps);
    return weakness ? fail("INVALID_INPUT", { fields: { password: weakness } }) : allowed;
  }

  /** Called after `admit()`, so that its limit bounds the questions to another service, too. */
  async function hashNew(password: string, ip: string): Promise<Result<string, "INVALID_INPUT" | "BUSY">> {
    if (await breachedPasswords?.has(password))
      return fail("INVALID_INPUT", { fields: { password: "PASSWORD_TOO_COMMON" } });
    const hashed = await passwords.hash(password);
    if (!hashed.ok)
      await transaction(({ attempts }) => countersOf(attempts, mac, now()).giveBack("registerIp", ipBucket(ip)));
    return hashed;
  }

  return {
    /** A new registration of an email replaces an unproven account; of concurrent ones the first wins. */
    async register(
      input: RegisterInput,
      client: Visitor,
    ): Promise<Result<{ email: string }, "INVALID_INPUT" | Refusal | RegistrationRefusal | "BUSY">> {
      const fitting = check(input);
      if (!fitting.ok) return fitting;
      const { isFirst } = fitting.value;
      const { password, email, firstName, lastName, language, companyName, termsVersion = inForce } = input;
      const admitted = await admit(email, client.ip);
      if (!admitted.ok) return admitted;
      const hashed = await hashNew(password, client.ip);
      if (!hashed.ok) return hashed;

      const accountId = newId();
      const person = { id: accountId, email, firstName, lastName, companyName, language, passwordHash: hashed.value };
      // A user who saw an older version is asked to accept this one after signing in.
      const newcomer = { ...person, isFirst, acceptsTerms: termsVersion === inForce };
      const registered = await transaction<Result<{ email: string }, Refusal | RegistrationRefusal>>(async (store) => {
        const added = await addAccount(store, newcomer, { replaces: admitted.value, client });
        return added.ok ? ok({ email }) : added;
      });
      if (registered.ok) await drainFor(accountId);
      return registered;
    },
  };
}
