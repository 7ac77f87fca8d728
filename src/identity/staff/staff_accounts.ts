import { normaliseEmail } from "../../shared/email_address.ts";
import { isId } from "../../shared/id.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type Shown, shown } from "../../shared/shown.ts";
import type { IdentityDeps, User } from "../ports.ts";
import { providerNames } from "../sign_in/provider_names.ts";
import { methodsOf } from "../sign_in/second_step.ts";
import { lifetimes } from "../sign_in/session.ts";
import type { SessionShown } from "../sign_in/session_list.ts";
import type { AccountFilter, Cursor } from "./staff_ports.ts";

const PAGE = 50;

/** An account in the staff's list; instants in ISO 8601. */
export type AccountRow = Shown<
  Pick<User, "id" | "email" | "firstName" | "lastName" | "language" | "staff" | "createdAt" | "lockedAt">
> & { verified: boolean };

/** The account's sign-in methods and sessions, without their secrets. */
export type AccountDetails = AccountRow & {
  companyName: string | null;
  methods: string[];
  providers: string[];
  wrongCodes: number;
  sessions: Omit<SessionShown, "id" | "current">[];
};

function rowOf(user: User): AccountRow {
  const { id, email, firstName, lastName, language, staff, createdAt, verifiedAt, lockedAt } = user;
  const verified = verifiedAt !== undefined;
  return shown({ id, email, firstName, lastName, language, staff, createdAt, verified, lockedAt });
}

/** Accounts for the staff. */
export function staffAccounts(deps: IdentityDeps) {
  const { transaction, now } = deps;
  const { isOver } = lifetimes(deps);
  const { recordedAs } = providerNames(deps);
  return {
    /** Newest first, searched by a prefix of email, last name or full name; `next` is the next page's cursor. */
    listAccounts(
      { text, state }: AccountFilter,
      after?: Cursor,
    ): Promise<Result<{ accounts: AccountRow[]; next: { at: string; id: string } | null }, never>> {
      const wanted = normaliseEmail(text ?? "") ?? text?.trim().toLowerCase().replaceAll(/\s+/g, " ");
      return transaction(async ({ users }) => {
        const found = await users.search({ text: wanted || undefined, state }, after, PAGE + 1);
        const page = found.slice(0, PAGE).map(rowOf);
        const last = found.length > PAGE ? page.at(-1) : undefined;
        return ok({ accounts: page, next: last ? { at: last.createdAt, id: last.id } : null });
      });
    },

    /** The account with this id or exact email. */
    accountNamed(idOrEmail: string): Promise<Result<{ accountId: string }, "NOT_FOUND">> {
      return transaction(async ({ users }) => {
        const email = normaliseEmail(idOrEmail) ?? idOrEmail.trim();
        const user = await (isId(idOrEmail) ? users.find(idOrEmail.toLowerCase()) : users.findByEmail(email));
        return user ? ok({ accountId: user.id }) : fail("NOT_FOUND");
      });
    },

    accountDetails(accountId: string): Promise<Result<AccountDetails, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.find(accountId);
        if (!user) return fail("NOT_FOUND");
        const links = await store.providerLinks.list(accountId);
        const living = (await store.sessions.list(accountId, now())).filter((session) => !isOver(session));
        return ok({
          ...rowOf(user),
          companyName: user.companyName ?? null,
          methods: await methodsOf(store, accountId),
          providers: links.map(({ provider }) => recordedAs(provider)),
          wrongCodes: user.wrongCodes,
          sessions: living.map(({ device: { browser, system }, ipPrefix, createdAt, lastSeenAt }) =>
            shown({ browser, system, ipPrefix, createdAt, lastSeenAt }),
          ),
        });
      });
    },
  };
}
