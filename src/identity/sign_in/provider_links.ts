import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import type { ProviderIdentity, ProviderLink, ProviderName } from "../factors/factor_ports.ts";
import type { Client, IdentityDeps, IdentityStore, User } from "../ports.ts";

/** The account's linked identities, and the providers of this installation. */
export type ProviderLinks = {
  links: { provider: ProviderName; email: string; linkedAt: Date }[];
  available: ProviderName[];
};

/** Linking other accounts to one's own, and unlinking them. */
export function providerLinks(deps: IdentityDeps) {
  const { transaction, providers, hashToken, now } = deps;
  const record = auditor(deps);

  async function tell(
    store: IdentityStore,
    { user, event, provider }: { user: User; event: "provider_linked" | "provider_unlinked"; provider: ProviderName },
    client: Client,
  ): Promise<void> {
    await record(store, event, { accountId: user.id, client, detail: { provider } });
    await store.events.publish({
      type: "mail.requested",
      to: user.email,
      language: user.language,
      template: "security_changed",
      params: { change: event, provider, at: now().toISOString() },
      accountId: user.id,
    });
  }

  return {
    /**
     * An identity is linked to one account, and an account to one identity of each provider. Idempotent. The session may have
     * ended meanwhile.
     */
    async link(
      store: IdentityStore,
      { identity, sessionId }: { identity: ProviderIdentity; sessionId: string },
      client: Client,
    ): Promise<Result<{ outcome: "linked"; provider: ProviderName }, "UNAUTHENTICATED" | "PROVIDER_ALREADY_LINKED">> {
      const { provider, subject } = identity;
      const session = await store.sessions.findLiving(hashToken(client.token ?? ""), now());
      const isLinker = session?.id === sessionId && session.level === "authenticated";
      const user = isLinker ? await store.users.findForUpdate(session.accountId) : undefined;
      if (!user) return fail("UNAUTHENTICATED");
      const accountId = user.id;
      const added = await store.providerLinks.add({ ...identity, accountId, linkedAt: now() });
      if (added) await tell(store, { user, event: "provider_linked", provider }, client);
      const owner = (await store.providerLinks.find(provider, subject))?.accountId;
      return owner === accountId ? ok({ outcome: "linked", provider }) : fail("PROVIDER_ALREADY_LINKED");
    },

    async providersOf(accountId: string): Promise<Result<ProviderLinks, never>> {
      const links = await transaction((store) => store.providerLinks.list(accountId));
      const shown = ({ provider, email, linkedAt }: ProviderLink) => ({ provider, email, linkedAt });
      return ok({ links: links.map(shown), available: providers.map(({ name }) => name) });
    },

    /** The password stays valid for signing in. */
    unlinkProvider(
      { accountId, provider }: { accountId: string; provider: ProviderName },
      client: Client,
    ): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        if (!user || !(await store.providerLinks.remove(accountId, provider))) return fail("NOT_FOUND");
        await tell(store, { user, event: "provider_unlinked", provider }, client);
        return ok();
      });
    },
  };
}
