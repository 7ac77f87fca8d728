import type { IdentityDeps } from "../../src/identity/mod.ts";
import type { ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import type { ProviderAnswer, ProviderPurpose, Returning } from "../../src/identity/sign_in/provider_sign_in.ts";
import { memoryProvider } from "../memory/identity/provider.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

export const AT_GOOGLE: ProviderProfile = {
  subject: "alice-at-google",
  email: ALICE.email,
  emailVerified: true,
  firstName: "Alice",
  lastName: "Meyer",
};
export const AT_MICROSOFT: ProviderProfile = { ...AT_GOOGLE, subject: "alice-at-microsoft", emailVerified: false };

export const HOME_ISSUER = "https://id.example.org";
export const AT_HOME: ProviderProfile = { ...AT_GOOGLE, subject: "alice-at-home" };

/** The identity module with two providers whose users are set by the test; `hasHome`: one of them has an issuer of its own. */
export function providerWorld({ hasHome = false, ...changed }: Partial<IdentityDeps> & { hasHome?: boolean } = {}) {
  const [google, microsoft] = [memoryProvider("google"), memoryProvider("microsoft")];
  const oidc = memoryProvider("oidc", { key: HOME_ISSUER, label: "Home" });
  const peers = { google, microsoft, github: memoryProvider("github"), oidc };
  const world = identityWorld({ providers: hasHome ? [oidc, google] : [google, microsoft], ...changed });
  const { identity, transaction } = world;

  /** The account of a full session. */
  const sessionOf = (token: string) => identity.sessionOf(token);

  /** Starts a visit at the provider; the cookie stays in the browser. */
  async function start(provider: Peer, purpose: ProviderPurpose = "sign_in", token?: string, invitation?: string) {
    const session = token === undefined ? undefined : await sessionOf(token);
    return accepted(await identity.startProvider({ provider, purpose, invitation }, session));
  }

  /** Returns from the provider. */
  async function finish(
    answer: ProviderAnswer,
    { visit, token, ip = HOME }: Partial<Pick<Returning, "visit" | "token" | "ip">>,
  ) {
    const session = token === undefined ? undefined : await sessionOf(token);
    return identity.finishProvider(answer, { ip, token, visit, session });
  }

  /** A complete visit. */
  async function visit(
    profile: ProviderProfile,
    { provider = hasHome ? "oidc" : "google", purpose = "sign_in", token, ip = HOME, invitation }: Visit = {},
  ): ReturnType<typeof finish> {
    const { url, cookie } = await start(provider, purpose, token, invitation);
    const answer: ProviderAnswer = { provider, language: "de", ...peers[provider].consent(url, profile) };
    return finish(answer, { visit: cookie, ip, ...(token !== undefined && { token }) });
  }

  return {
    ...world,
    peers,
    start,
    finish,
    visit,
    links: (email = ALICE.email) =>
      transaction(async ({ users, providerLinks }) =>
        providerLinks.list((await users.findByEmail(email))?.id ?? crypto.randomUUID()),
      ),
    /** The mails and events about links for the account of a token. */
    async trail() {
      const told = (await world.mails()).filter(({ template }) => template === "security_changed");
      return told.map(({ to, params }) => `${to} ${params.change} ${params.provider}`);
    },
  };
}

type Peer = "google" | "microsoft" | "github" | "oidc";
type Visit = { provider?: Peer; purpose?: ProviderPurpose; token?: string; ip?: string; invitation?: string };
