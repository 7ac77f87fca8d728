import { normaliseEmail } from "../../shared/email_address.ts";
import { ipBucket } from "../../shared/ip_bucket.ts";
import type { Language } from "../../shared/language.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Renewed } from "../account/confirm_password.ts";
import type { Client, Ending, IdentityDeps, IdentityStore, SignedIn, User } from "../ports.ts";
import { type Counter, countersOf, placeAt } from "./attempts.ts";
import type { MailLimited } from "./login_code.ts";
import { type AccountRefusal, type CreationRefusal, type KnownPerson, providerAccounts } from "./provider_accounts.ts";
import { providerConfirmation } from "./provider_confirmation.ts";
import { providerLinks } from "./provider_links.ts";
import type { IdentityProvider } from "./provider_ports.ts";
import { type PendingVisit, providerVisits, type VisitPurpose } from "./provider_visit.ts";
import { type Completed, type Proven, type Started, secondStep } from "./second_step.ts";
import type { ProviderSession } from "./session_ports.ts";

export type ProviderPurpose = "sign_in" | "link" | "confirm";
/** The client returning from a provider: `visit` is the cookie that was set on the way there. */
export type Returning = Client & { visit: string | undefined; session: SignedIn | undefined };
/** Without a code the person declined. `language`: of the page, for a new account. */
export type ProviderAnswer = {
  provider: string;
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  language?: Language | undefined;
};

/** The outcomes of a visit: a second step, a session, a new link, a confirmed session, or a registration. */
export type ProviderOutcome =
  | ({ outcome: "second_step" } & Started)
  | ({ outcome: "signed_in" } & Completed)
  | { outcome: "linked"; provider: string }
  | ({ outcome: "confirmed" } & Renewed)
  | { outcome: "no_account"; profile: { email: string; firstName: string; lastName: string } };

/** `created`: the account that was made for it. */
type Found = ProviderOutcome & { created?: string };
type Around = { language: Language; invitation: string | undefined; client: Client };

type SignInFailure =
  | AccountRefusal
  | CreationRefusal
  | "PASSWORD_RESET_REQUIRED"
  | "ACCOUNT_LOCKED"
  | "MAINTENANCE"
  | MailLimited;
type Failure =
  | SignInFailure
  | ("UNAUTHENTICATED" | "NOT_FOUND" | "RATE_LIMITED" | "BUSY" | "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE");

type Identification = {
  provider: IdentityProvider;
  visit: PendingVisit;
  answer: { code: string; iss: string | undefined };
  client: Client;
};

/** Signing in by a provider replaces the password, and the second step only where the operator trusts the provider's. */
export function providerSignIn(deps: IdentityDeps) {
  const { transaction, providers, providersOnly = false, cipher, mac, now, newId, drainFor } = deps;
  const visits = providerVisits(deps);
  const { askFor, open, openTrusted } = secondStep(deps);
  const accounts = providerAccounts(deps);
  const confirm = providerConfirmation(deps);
  const counters = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());
  const { link, ...links } = providerLinks(deps);
  const providerOf = (name: string) => providers.find((provider) => provider.name === name);

  function sessionBy({ identity, profile }: KnownPerson): ProviderSession {
    const { isStaff, session: { sid, idToken } = {} } = profile;
    const { provider, subject } = identity;
    return { provider, subject, sid, idToken: idToken === undefined ? undefined : cipher.encrypt(idToken), isStaff };
  }

  async function begin(
    store: IdentityStore,
    user: User,
    client: Client,
    proven: Proven,
  ): Promise<Result<ProviderOutcome, SignInFailure>> {
    const asked = await askFor(store, user, client);
    const started = await open(store, user, client, { ...proven, asked });
    return started.ok ? ok({ outcome: "second_step", ...started.value }) : started;
  }

  async function withoutAccount(
    store: IdentityStore,
    person: KnownPerson,
    around: Around,
  ): Promise<Result<Found, SignInFailure>> {
    const { identity, profile } = person;
    if (!providersOnly) {
      const { firstName = "", lastName = "" } = profile;
      return ok({ outcome: "no_account", profile: { email: identity.email, firstName, lastName } });
    }
    const made = await accounts.create(store, person, around);
    if (!made.ok) return made;
    const { user, link } = made.value;
    const proven = { confirmedAt: undefined, link, provider: sessionBy(person) };
    const started = await begin(store, user, around.client, proven);
    return started.ok ? ok({ ...started.value, created: user.id }) : started;
  }

  /** Without passwords, what the provider has asked counts as reauthentication. */
  function confirmedAt({ authenticatedAt }: KnownPerson["profile"]): Date | undefined {
    if (!providersOnly || authenticatedAt === undefined) return undefined;
    return authenticatedAt < now() ? authenticatedAt : now();
  }

  async function signIn(
    store: IdentityStore,
    person: KnownPerson,
    around: Around,
  ): Promise<Result<Found, SignInFailure>> {
    const { client } = around;
    const account = await accounts.accountFor(store, person);
    if (!account.ok) return account;
    if (account.value === undefined) return withoutAccount(store, person, around);
    const { user, link } = account.value;
    const provider = sessionBy(person);
    // An identity is linked only after our own second step, which proves the mailbox.
    if (link) return begin(store, user, client, { confirmedAt: undefined, link, provider });
    const proven = { confirmedAt: confirmedAt(person.profile), provider };
    if (!person.profile.hasSecondStep) return begin(store, user, client, { ...proven, link: undefined });
    const opened = await openTrusted(store, user, client, proven);
    return opened.ok ? ok({ outcome: "signed_in", ...opened.value }) : opened;
  }

  /** Asks the provider who it is, within the limit for this client; `work` uses the answer in one transaction. */
  async function identified<Value>(
    { provider, visit, answer, client }: Identification,
    work: (store: IdentityStore, person: KnownPerson) => Promise<Result<Value, Failure>>,
  ): Promise<Result<Value, Failure>> {
    const counter: Counter = ["providerIp", ipBucket(client.ip)];
    const place = placeAt(now(), newId());
    const { answer: reserved } = await transaction((store) => counters(store).reserve([counter], place));
    // No lock here: too many attempts were wrong, or too many are in progress.
    if (!reserved.ok) return { ...reserved, code: reserved.code === "BUSY" ? "BUSY" : "RATE_LIMITED" };
    const end = (store: IdentityStore, ending: Ending) => counters(store).conclude([[ending, counter]], place);
    const { verifier, nonce } = visit;
    const found = await provider.identify({ ...answer, verifier, nonce });
    if (!found.ok) {
      await transaction((store) => end(store, "wrong"));
      return found;
    }
    const profile = found.value;
    const email = normaliseEmail(profile.email);
    const identity = { provider: provider.key, subject: profile.subject, email: email ?? "" };
    const known = { identity, profile: { ...profile, emailVerified: profile.emailVerified && email !== undefined } };
    return transaction<Result<Value, Failure>>(async (store) => {
      const outcome = await work(store, known);
      await end(store, outcome.ok ? "free" : "wrong");
      return outcome;
    });
  }

  return {
    ...links,

    /** The provider's URL, and the cookie for the way back. Linking requires recent reauthentication. */
    async startProvider(
      { provider: name, purpose, invitation }: Starting,
      session: SignedIn | undefined,
    ): Promise<Result<{ url: string; cookie: string }, StartFailure>> {
      const provider = providerOf(name);
      const canConfirm = providersOnly && provider?.canReauthenticate;
      if (!provider || (purpose === "confirm" && !canConfirm)) return fail("NOT_FOUND");
      let visiting: VisitPurpose = { purpose: "sign_in", invitation };
      if (purpose !== "sign_in") {
        if (session?.level !== "authenticated") return fail("UNAUTHENTICATED");
        if (purpose === "link" && !session.confirmed) return fail("REAUTHENTICATION_REQUIRED");
        visiting = { purpose, sessionId: session.sessionId };
      }
      const { visit, cookie } = visits.begin(name, visiting);
      const url = await provider.authorizationUrl(visit, { isReauthentication: purpose === "confirm" });
      return url.ok ? ok({ url: url.value.href, cookie }) : url;
    },

    /** Requires the cookie of the same visit, so that nobody is signed in by another person's link (login CSRF). */
    async finishProvider(answer: ProviderAnswer, returning: Returning): Promise<Result<ProviderOutcome, Failure>> {
      const { code, iss, language = "en" } = answer;
      const { session, visit: cookie, ...client } = returning;
      const provider = providerOf(answer.provider);
      if (!provider) return fail("NOT_FOUND");
      const visit = visits.resume(cookie, answer);
      if (!visit || code === undefined) return fail("PROVIDER_REFUSED");
      const visiting = visit.for;
      if (visiting.purpose !== "sign_in" && session?.sessionId !== visiting.sessionId) return fail("UNAUTHENTICATED");

      const asked = { provider, visit, answer: { code, iss }, client };
      const found = await identified<Found>(asked, (store, person) => {
        if (visiting.purpose === "sign_in")
          return signIn(store, person, { language, invitation: visiting.invitation, client });
        const { sessionId } = visiting;
        if (visiting.purpose === "confirm")
          return confirm(store, person, { sessionId, since: new Date(visit.startedAt), client });
        return link(store, { identity: person.identity, sessionId }, client);
      });
      if (!found.ok) return found;
      const { created, ...outcome } = found.value;
      if (created !== undefined) await drainFor(created);
      return ok(outcome as ProviderOutcome);
    },
  };
}

type Starting = { provider: string; purpose: ProviderPurpose; invitation?: string | undefined };
type StartFailure = "NOT_FOUND" | "UNAUTHENTICATED" | "REAUTHENTICATION_REQUIRED" | "PROVIDER_UNAVAILABLE";
