import { accounts } from "./account.ts";
import { cleanUp } from "./clean_up.ts";
import { login } from "./login.ts";
import { passwordReset } from "./password_reset.ts";
import type { IdentityDeps } from "./ports.ts";
import { register } from "./register.ts";
import { sessions } from "./session.ts";

export type { Account, Profile } from "./account.ts";
export type { Client, CommonPasswords, IdentityDeps, IdentityStore, PasswordHasher, SignedIn } from "./ports.ts";

/** Accounts: registration, signing in with password and mailed code, sessions, forgotten passwords. */
export function createIdentity(deps: IdentityDeps) {
  return {
    ...register(deps),
    ...login(deps),
    ...sessions(deps),
    ...passwordReset(deps),
    ...accounts(deps),
    ...cleanUp(deps),
  };
}

export type Identity = ReturnType<typeof createIdentity>;
