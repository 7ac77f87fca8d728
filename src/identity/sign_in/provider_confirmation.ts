import { fail, ok, type Result } from "../../shared/result.ts";
import type { Renewed } from "../account/confirm_password.ts";
import type { Client, IdentityDeps, IdentityStore } from "../ports.ts";
import type { KnownPerson } from "./provider_accounts.ts";
import { lifetimes } from "./session.ts";

/** How much the provider's clock may be behind ours. */
const TOLERANCE_MS = 60_000;

/** Reauthentication by a provider: the same person has just shown there once more who they are. */
export function providerConfirmation(deps: IdentityDeps) {
  const { now, newToken, hashToken } = deps;
  const { cookieSeconds } = lifetimes(deps);

  return async function confirm(
    { sessions, providerLinks }: IdentityStore,
    { identity, profile: { authenticatedAt } }: KnownPerson,
    { sessionId, since, client }: { sessionId: string; since: Date; client: Client },
  ): Promise<Result<{ outcome: "confirmed" } & Renewed, "UNAUTHENTICATED" | "PROVIDER_REFUSED">> {
    const session = await sessions.findLiving(hashToken(client.token ?? ""), now());
    if (session?.id !== sessionId || session.level !== "authenticated") return fail("UNAUTHENTICATED");
    const linked = await providerLinks.find(identity.provider, identity.subject);
    const isRecent = authenticatedAt !== undefined && authenticatedAt.getTime() >= since.getTime() - TOLERANCE_MS;
    if (linked?.accountId !== session.accountId || !isRecent) return fail("PROVIDER_REFUSED");
    const token = newToken();
    if (!(await sessions.confirm(session, hashToken(token), now()))) return fail("UNAUTHENTICATED");
    return ok({ outcome: "confirmed", token, cookieSeconds: cookieSeconds(session.createdAt) });
  };
}
