import { fail, ok, type Result } from "../../shared/result.ts";
import { securityNotice } from "../account/owner_mails.ts";
import type { ProviderIdentity } from "../factors/factor_ports.ts";
import type { Client, IdentityDeps, IdentityStore } from "../ports.ts";
import { providerNames } from "./provider_names.ts";

/** A linked identity; `canConfirm`: its provider can be asked again who somebody is. */
export type ProviderLinkShown = { provider: string; label: string; email: string; linkedAt: Date; canConfirm: boolean };
/** The account's linked identities, and the providers of this installation. */
export type ProviderLinks = { links: ProviderLinkShown[]; available: string[] };

/** Linking other accounts to one's own, and unlinking them. */
export function providerLinks(deps: IdentityDeps) {
  const { transaction, providers, hashToken, now } = deps;
  const tell = securityNotice(deps);
  const { nameOf, labelOf, recordedAs } = providerNames(deps);

  return {
    /**
     * An identity is linked to one account, and an account to one identity of each provider. Idempotent. The session may have
     * ended meanwhile.
     */
    async link(
      store: IdentityStore,
      { identity, sessionId }: { identity: ProviderIdentity; sessionId: string },
      client: Client,
    ): Promise<Result<{ outcome: "linked"; provider: string }, "UNAUTHENTICATED" | "PROVIDER_ALREADY_LINKED">> {
      const { provider: key, subject } = identity;
      const session = await store.sessions.findLiving(hashToken(client.token ?? ""), now());
      const isLinker = session?.id === sessionId && session.level === "authenticated";
      const user = isLinker ? await store.users.findForUpdate(session.accountId) : undefined;
      if (!user) return fail("UNAUTHENTICATED");
      const accountId = user.id;
      const added = await store.providerLinks.add({ ...identity, accountId, linkedAt: now() });
      if (added) await tell(store, user, { event: "provider_linked", client, detail: { provider: recordedAs(key) } });
      const owner = (await store.providerLinks.find(key, subject))?.accountId;
      return owner === accountId ? ok({ outcome: "linked", provider: nameOf(key) }) : fail("PROVIDER_ALREADY_LINKED");
    },

    async providersOf(accountId: string): Promise<Result<ProviderLinks, never>> {
      const links = await transaction((store) => store.providerLinks.list(accountId));
      const shown = links.map(({ provider: key, email, linkedAt }) => ({
        provider: nameOf(key),
        label: labelOf(key),
        email,
        linkedAt,
        canConfirm: providers.some((one) => one.key === key && one.canReauthenticate),
      }));
      return ok({ links: shown, available: providers.map(({ name }) => name) });
    },

    /** The password stays valid for signing in. What the provider's groups gave ends with the link. */
    unlinkProvider(
      { accountId, provider: name }: { accountId: string; provider: string },
      client: Client,
    ): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        const links = user ? await store.providerLinks.list(accountId) : [];
        const key = links.find(({ provider }) => nameOf(provider) === name)?.provider;
        if (!user || key === undefined || !(await store.providerLinks.remove(accountId, key))) return fail("NOT_FOUND");
        if (user.staffBy === key) await store.users.setStaff(accountId, false);
        await tell(store, user, { event: "provider_unlinked", client, detail: { provider: recordedAs(key) } });
        return ok();
      });
    },
  };
}
