import { normaliseEmail } from "../../shared/email_address.ts";
import { ipBucket } from "../../shared/ip_bucket.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { ProviderIdentity, ProviderName } from "../factors/factor_ports.ts";
import type { Client, Ending, IdentityDeps, IdentityStore, SignedIn, User } from "../ports.ts";
import { type Counter, countersOf, placeAt } from "./attempts.ts";
import type { MailLimited } from "./login_code.ts";
import { providerLinks } from "./provider_links.ts";
import type { ProviderProfile } from "./provider_ports.ts";
import { providerVisits } from "./provider_visit.ts";
import { type Started, secondStep } from "./second_step.ts";

export type ProviderPurpose = "sign_in" | "link";
/** The client returning from a provider: `visit` is the cookie that was set on the way there. */
export type Returning = Client & { visit: string | undefined; session: SignedIn | undefined };
/** Without a code the person declined. */
export type ProviderAnswer = { provider: ProviderName; state: string; code?: string | undefined };

/** The outcomes of a visit: a second step, a new link, or a registration. */
export type ProviderOutcome =
  | ({ outcome: "second_step" } & Started)
  | { outcome: "linked"; provider: ProviderName }
  | { outcome: "no_account"; profile: { email: string; firstName: string; lastName: string } };

type LinkFailure = "UNAUTHENTICATED" | "PROVIDER_ALREADY_LINKED";
type SignInFailure =
  | "PROVIDER_EMAIL_UNVERIFIED"
  | "PROVIDER_ALREADY_LINKED"
  | "PASSWORD_RESET_REQUIRED"
  | "ACCOUNT_LOCKED"
  | "MAINTENANCE"
  | MailLimited;
type Failure =
  | LinkFailure
  | SignInFailure
  | ("NOT_FOUND" | "RATE_LIMITED" | "BUSY" | "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE");

/** Signing in by a provider replaces the password, never the second step. */
export function providerSignIn(deps: IdentityDeps) {
  const { transaction, providers, mac, now, newId } = deps;
  const visits = providerVisits(deps);
  const { askFor, open } = secondStep(deps);
  const counters = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());
  const { link, ...links } = providerLinks(deps);
  const providerOf = (name: ProviderName) => providers.find((provider) => provider.name === name);

  /** The account of this identity, and the link that its second step creates if there is none yet. */
  async function accountFor(
    { users, providerLinks }: IdentityStore,
    identity: ProviderIdentity,
    { emailVerified }: ProviderProfile,
  ): Promise<Result<{ user: User; link: ProviderIdentity | undefined } | undefined, SignInFailure>> {
    const linked = await providerLinks.find(identity.provider, identity.subject);
    const owner = linked && (await users.findForUpdate(linked.accountId));
    if (owner) return ok({ user: owner, link: undefined });
    // An unverified email must not reveal whether its account exists or send it a code.
    if (!emailVerified) return fail("PROVIDER_EMAIL_UNVERIFIED");
    const found = await users.findByEmail(identity.email);
    const user = found && (await users.findForUpdate(found.id));
    // Anybody may have registered an email that is not theirs: unproven accounts do not count.
    if (user?.verifiedAt === undefined || user.email !== identity.email) return ok(undefined);
    const others = await providerLinks.list(user.id);
    if (others.some(({ provider }) => provider === identity.provider)) return fail("PROVIDER_ALREADY_LINKED");
    return ok({ user, link: identity });
  }

  async function signIn(
    store: IdentityStore,
    { identity, profile }: { identity: ProviderIdentity; profile: ProviderProfile },
    client: Client,
  ): Promise<Result<ProviderOutcome, SignInFailure>> {
    const account = await accountFor(store, identity, profile);
    if (!account.ok) return account;
    if (account.value === undefined) {
      const { firstName = "", lastName = "" } = profile;
      return ok({ outcome: "no_account", profile: { email: identity.email, firstName, lastName } });
    }
    const { user, link } = account.value;
    const asked = await askFor(store, user, client);
    const started = await open(store, user, client, { confirmedAt: undefined, link, asked });
    if (!started.ok) return started;
    return ok({ outcome: "second_step", ...started.value });
  }

  return {
    ...links,

    /** The provider's URL, and the cookie for the way back. Linking requires a recently typed password. */
    startProvider(
      { provider, purpose }: { provider: ProviderName; purpose: ProviderPurpose },
      session: SignedIn | undefined,
    ): Result<{ url: string; cookie: string }, "NOT_FOUND" | "UNAUTHENTICATED" | "REAUTHENTICATION_REQUIRED"> {
      const { authorizationUrl } = providerOf(provider) ?? {};
      if (!authorizationUrl) return fail("NOT_FOUND");
      if (purpose === "link" && session?.level !== "authenticated") return fail("UNAUTHENTICATED");
      if (purpose === "link" && !session?.confirmed) return fail("REAUTHENTICATION_REQUIRED");
      const { visit, cookie } = visits.begin(provider, purpose === "link" ? session?.sessionId : undefined);
      return ok({ url: authorizationUrl(visit).href, cookie });
    },

    /** Requires the cookie of the same visit, so that nobody is signed in by another person's link (login CSRF). */
    async finishProvider(answer: ProviderAnswer, returning: Returning): Promise<Result<ProviderOutcome, Failure>> {
      const { provider, code } = answer;
      const { session, visit, ...client } = returning;
      const asked = providerOf(provider);
      if (!asked) return fail("NOT_FOUND");
      const pending = visits.resume(visit, answer);
      if (!pending || code === undefined) return fail("PROVIDER_REFUSED");
      const { linkTo, verifier, nonce } = pending;
      if (linkTo !== undefined && session?.sessionId !== linkTo) return fail("UNAUTHENTICATED");

      const counter: Counter = ["providerIp", ipBucket(client.ip)];
      const place = placeAt(now(), newId());
      const { answer: reserved } = await transaction((store) => counters(store).reserve([counter], place));
      // No lock here: too many attempts were wrong, or too many are in progress.
      if (!reserved.ok) return { ...reserved, code: reserved.code === "BUSY" ? "BUSY" : "RATE_LIMITED" };
      const end = (store: IdentityStore, ending: Ending) => counters(store).conclude([[ending, counter]], place);
      const identified = await asked.identify({ code, verifier, nonce });
      if (!identified.ok) {
        await transaction((store) => end(store, "wrong"));
        return identified;
      }
      const profile = identified.value;
      const email = normaliseEmail(profile.email);
      const identity = { provider, subject: profile.subject, email: email ?? "" };
      const known = { identity, profile: { ...profile, emailVerified: profile.emailVerified && email !== undefined } };
      return transaction<Result<ProviderOutcome, Failure>>(async (store) => {
        const outcome = await (linkTo === undefined
          ? signIn(store, known, client)
          : link(store, { identity, sessionId: linkTo }, client));
        await end(store, outcome.ok ? "free" : "wrong");
        return outcome;
      });
    },
  };
}
