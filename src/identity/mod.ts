import { accounts } from "./account.ts";
import { apiAccess } from "./api_access.ts";
import { apiTokens } from "./api_tokens.ts";
import { authenticators } from "./authenticator.ts";
import { cleanUp } from "./clean_up.ts";
import { passwordConfirmation } from "./confirm_password.ts";
import { deletion } from "./deletion.ts";
import { emailChange } from "./email_change.ts";
import { dataExport } from "./export.ts";
import { factors } from "./factors.ts";
import { login } from "./login.ts";
import { passkeys } from "./passkeys.ts";
import { passwordChange } from "./password_change.ts";
import { passwordReset } from "./password_reset.ts";
import type { IdentityDeps } from "./ports.ts";
import { profile } from "./profile.ts";
import { providerSignIn } from "./provider_sign_in.ts";
import { register } from "./register.ts";
import { sessions } from "./session.ts";
import { sessionList } from "./session_list.ts";
import { staffAccounts } from "./staff_accounts.ts";
import { staffActs } from "./staff_acts.ts";
import { staffAudit } from "./staff_audit.ts";
import { staffView } from "./staff_view.ts";
import { termsAcceptance } from "./terms.ts";

export type { Account, Profile } from "./account.ts";
export type { Client, CommonPasswords, IdentityDeps, IdentityStore, PasswordHasher, SignedIn } from "./ports.ts";

/** Accounts: registration, signing in with password and mailed code, sessions, forgotten passwords. */
export function createIdentity(deps: IdentityDeps) {
  return {
    ...register(deps),
    ...login(deps),
    ...sessions(deps),
    ...sessionList(deps),
    ...passwordConfirmation(deps),
    ...passwordReset(deps),
    ...providerSignIn(deps),
    ...profile(deps),
    ...passwordChange(deps),
    ...emailChange(deps),
    ...dataExport(deps),
    ...deletion(deps),
    ...factors(deps),
    ...authenticators(deps),
    ...passkeys(deps),
    ...termsAcceptance(deps),
    ...apiTokens(deps),
    ...apiAccess(deps),
    ...accounts(deps),
    ...cleanUp(deps),
    ...staffAccounts(deps),
    ...staffActs(deps),
    ...staffAudit(deps),
    ...staffView(deps),
  };
}

export type Identity = ReturnType<typeof createIdentity>;
