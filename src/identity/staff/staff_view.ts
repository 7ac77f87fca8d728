import { ok, type Result } from "../../shared/result.ts";
import type { IdentityDeps } from "../ports.ts";
import { type AccountDetails, staffAccounts } from "./staff_accounts.ts";
import type { AccountFacts } from "./staff_ports.ts";

/** An account with its data of all modules, for the staff. */
export type AccountShown = AccountDetails & AccountFacts;

/** One account with other modules' facts: without secrets, and without the content of its alerts. */
export function staffView(deps: IdentityDeps) {
  const { accountDetails } = staffAccounts(deps);
  return {
    async showAccount(accountId: string): Promise<Result<AccountShown, "NOT_FOUND">> {
      const found = await accountDetails(accountId);
      return found.ok ? ok({ ...found.value, ...(await deps.accountFacts.of(accountId)) }) : found;
    },
  };
}
