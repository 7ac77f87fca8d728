import type { Language } from "../../shared/language.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { newAccounts } from "../account/new_account.ts";
import { type RegistrationRefusal, registrationGate } from "../account/registration_gate.ts";
import type { ProviderIdentity } from "../factors/factor_ports.ts";
import { type Client, type IdentityDeps, type IdentityStore, NO_PASSWORD, type User } from "../ports.ts";
import type { ProviderProfile } from "./provider_ports.ts";

/** An identity as a provider has just described it; an email that cannot be read counts as unverified. */
export type KnownPerson = { identity: ProviderIdentity; profile: ProviderProfile };

/** The account of an identity; `link`: what its second step links to it, as they are not linked yet. */
export type ProviderAccount = { user: User; link: ProviderIdentity | undefined };

export type AccountRefusal = "PROVIDER_EMAIL_UNVERIFIED" | "PROVIDER_ALREADY_LINKED";
export type CreationRefusal = RegistrationRefusal | "REGISTRATION_OTHER_EMAIL" | "REGISTRATION_DOMAIN" | "EMAIL_TAKEN";

/** Which account an identity opens. */
export function providerAccounts(deps: IdentityDeps) {
  const { admits } = registrationGate(deps);
  const addAccount = newAccounts(deps);

  return {
    /** The linked account, or the one with this proven email; undefined if there is none. */
    async accountFor(
      { users, providerLinks }: IdentityStore,
      { identity, profile }: KnownPerson,
    ): Promise<Result<ProviderAccount | undefined, AccountRefusal>> {
      const linked = await providerLinks.find(identity.provider, identity.subject);
      const owner = linked && (await users.findForUpdate(linked.accountId));
      if (owner) return ok({ user: owner, link: undefined });
      // An unverified email must not reveal whether its account exists or send it a code.
      if (!profile.emailVerified) return fail("PROVIDER_EMAIL_UNVERIFIED");
      const found = await users.findByEmail(identity.email);
      const user = found && (await users.findForUpdate(found.id));
      // Anybody may have registered an email that is not theirs: unproven accounts do not count.
      if (user?.verifiedAt === undefined || user.email !== identity.email) return ok(undefined);
      const others = await providerLinks.list(user.id);
      if (others.some(({ provider }) => provider === identity.provider)) return fail("PROVIDER_ALREADY_LINKED");
      return ok({ user, link: identity });
    },

    /** An account without a password for this verified email, where providers are the only way to sign in. */
    async create(
      store: IdentityStore,
      { identity, profile }: KnownPerson,
      { language, invitation, client }: { language: Language; invitation: string | undefined; client: Client },
    ): Promise<Result<ProviderAccount, CreationRefusal>> {
      const { email } = identity;
      const admitted = admits(email, invitation);
      if (!admitted.ok) {
        const reason = admitted.code === "INVALID_INPUT" ? admitted.fields?.email : admitted.code;
        return fail(reason as CreationRefusal);
      }
      const person = {
        id: deps.newId(),
        email,
        firstName: profile.firstName ?? email.split("@")[0] ?? "",
        lastName: profile.lastName ?? "",
        companyName: undefined,
        language,
        passwordHash: NO_PASSWORD,
        isFirst: admitted.value.isFirst,
        acceptsTerms: false,
      };
      const replaces = await store.users.findByEmail(email);
      const added = await addAccount(store, person, { replaces, client });
      return added.ok ? ok({ user: added.value, link: identity }) : added;
    },
  };
}
