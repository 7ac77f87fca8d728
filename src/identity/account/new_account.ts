import { fail, ok, type Result } from "../../shared/result.ts";
import type { IdentityDeps, IdentityStore, User, Visitor } from "../ports.ts";
import { COMMAND_LINE, staffNotes } from "../staff/staff_notes.ts";
import { auditor, removeUnproven } from "./audit.ts";

/** A person who gets an account. `isFirst`: by the link to the installation's first account, which becomes staff. */
export type Newcomer = Pick<
  User,
  "id" | "email" | "firstName" | "lastName" | "companyName" | "language" | "passwordHash"
> & {
  isFirst: boolean;
  /** Whether the current terms were accepted; otherwise that is asked after signing in. */
  acceptsTerms: boolean;
};

/** Creates accounts, whose email is not proven yet. */
export function newAccounts(deps: Pick<IdentityDeps, "now" | "newId" | "hashToken" | "termsVersion">) {
  const { now, termsVersion } = deps;
  const record = auditor(deps);
  const { note } = staffNotes(deps);

  /** Adds the account in place of an unproven one of the same email; of concurrent ones the first wins. */
  return async function add(
    store: IdentityStore,
    { isFirst, acceptsTerms, ...person }: Newcomer,
    { replaces, client }: { replaces: User | undefined; client: Visitor },
  ): Promise<Result<User, "EMAIL_TAKEN" | "REGISTRATION_LINK_INVALID">> {
    const { users, acceptances, events } = store;
    const { id: accountId, email, language } = person;
    if (isFirst && (await users.hasVerified())) return fail("REGISTRATION_LINK_INVALID");
    if (replaces) await removeUnproven(store, replaces.id);
    const user: User = {
      ...person,
      defaultContacts: [],
      wrongCodes: 0,
      deviceEpoch: 0,
      network: undefined,
      staff: isFirst,
      lockedAt: undefined,
      createdAt: now(),
      verifiedAt: undefined,
    };
    if (!(await users.add(user))) return fail("EMAIL_TAKEN", { fields: { email: "EMAIL_TAKEN" } });
    if (acceptsTerms) await acceptances.add({ accountId, version: termsVersion, acceptedAt: now() });
    await record(store, "registered", { accountId, client });
    if (isFirst) await note(store, "staff_granted", { actor: COMMAND_LINE, accountId });
    await events.publish({ type: "identity.registered", accountId, email, language });
    return ok(user);
  };
}
