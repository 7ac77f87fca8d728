import { fail, ok, type Result } from "../../shared/result.ts";
import type { IdentityDeps, User } from "../ports.ts";
import { standingOf, type TermsStatus } from "./terms.ts";

/** What other modules may know of an account. `verified`: its owner has proven `email`, which is normalised. */
export type Account = Pick<User, "email" | "language" | "firstName" | "lastName" | "network"> & { verified: boolean };

export type Profile = Pick<User, "firstName" | "lastName" | "email" | "language" | "staff"> & {
  companyName: string | null;
  terms: TermsStatus;
};

function accountIn({ email, language, firstName, lastName, network, verifiedAt }: User): Account {
  return { email, language, firstName, lastName, network, verified: verifiedAt !== undefined };
}

/** Reading accounts. */
export function accounts({ transaction, termsVersion }: IdentityDeps) {
  return {
    accountOf(accountId: string): Promise<Account | undefined> {
      return transaction(async ({ users }) => {
        const user = await users.find(accountId);
        return user && accountIn(user);
      });
    },

    /** The account that has verified this email, which is normalised. */
    async ownerOf(email: string): Promise<string | undefined> {
      const user = await transaction(({ users }) => users.findByEmail(email));
      return user?.verifiedAt === undefined ? undefined : user.id;
    },

    /** Several accounts; deleted ones are missing from the result. */
    async accountsOf(accountIds: string[]): Promise<(Account & { id: string })[]> {
      const found = await transaction(({ users }) => users.listByIds(accountIds));
      return found.map((user) => ({ id: user.id, ...accountIn(user) }));
    },

    /** Those of these accounts that do not exist, or no longer. */
    goneOf: (accountIds: string[]): Promise<string[]> => transaction(({ users }) => users.listGone(accountIds)),

    /** The accounts that have verified these addresses, by address. */
    async ownersOf(addresses: string[]): Promise<Map<string, Account>> {
      const owners = new Map<string, Account>();
      await transaction(async ({ users }) => {
        for (const address of addresses) {
          const user = await users.findByEmail(address);
          if (user?.verifiedAt) owners.set(address, accountIn(user));
        }
      });
      return owners;
    },

    profileOf(accountId: string): Promise<Result<Profile, "NOT_FOUND">> {
      return transaction(async ({ users, acceptances }) => {
        const user = await users.find(accountId);
        if (!user) return fail("NOT_FOUND");
        const terms = await standingOf({ acceptances }, accountId, termsVersion);
        const { firstName, lastName, email, language, companyName = null, staff } = user;
        return ok({ firstName, lastName, email, language, companyName, staff, terms });
      });
    },
  };
}
