import { accounts } from "./account/account.ts";
import { cleanUp } from "./account/clean_up.ts";
import { passwordConfirmation } from "./account/confirm_password.ts";
import { deletion } from "./account/deletion.ts";
import { emailChange } from "./account/email_change.ts";
import { dataExport } from "./account/export.ts";
import { passwordChange } from "./account/password_change.ts";
import { profile } from "./account/profile.ts";
import { register } from "./account/register.ts";
import { registrationLinks } from "./account/registration_gate.ts";
import { termsAcceptance } from "./account/terms.ts";
import { apiAccess } from "./api_tokens/api_access.ts";
import { apiTokens } from "./api_tokens/api_tokens.ts";
import { authenticators } from "./factors/authenticator.ts";
import { factors } from "./factors/factors.ts";
import { passkeys } from "./factors/passkeys.ts";
import type { IdentityDeps } from "./ports.ts";
import { login } from "./sign_in/login.ts";
import { passwordReset } from "./sign_in/password_reset.ts";
import { providerLogout } from "./sign_in/provider_logout.ts";
import { providerSignIn } from "./sign_in/provider_sign_in.ts";
import { sessions } from "./sign_in/session.ts";
import { sessionList } from "./sign_in/session_list.ts";
import { rescue } from "./staff/rescue.ts";
import { staffAccounts } from "./staff/staff_accounts.ts";
import { staffActs } from "./staff/staff_acts.ts";
import { staffAudit } from "./staff/staff_audit.ts";
import { staffTests } from "./staff/staff_tests.ts";
import { staffView } from "./staff/staff_view.ts";

export type { Account, Profile } from "./account/account.ts";
export type { Client, CommonPasswords, IdentityDeps, IdentityStore, PasswordHasher, SignedIn } from "./ports.ts";

/**
 * Accounts. `sign_in/`: login, second step, counting of wrong guesses, sessions, providers, forgotten passwords; `factors/`:
 * authenticator apps, passkeys and recovery codes; `account/`: registration, profile, deletion, export, audit log and the clean-up
 * of expired rows; `api_tokens/`: personal tokens; `staff/`: what staff may do to accounts.
 */
export function createIdentity(deps: IdentityDeps) {
  return {
    /** Providers are the only way to sign in: no passwords. */
    providersOnly: deps.providersOnly ?? false,
    ...register(deps),
    ...registrationLinks(deps),
    ...login(deps),
    ...sessions(deps),
    ...sessionList(deps),
    ...passwordConfirmation(deps),
    ...passwordReset(deps),
    ...providerSignIn(deps),
    ...providerLogout(deps),
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
    ...rescue(deps),
    ...staffAudit(deps),
    ...staffTests(deps),
    ...staffView(deps),
  };
}

export type Identity = ReturnType<typeof createIdentity>;
