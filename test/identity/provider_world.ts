import type { ProviderName } from "../../src/identity/factors/factor_ports.ts";
import type { IdentityDeps } from "../../src/identity/mod.ts";
import type { ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import type { ProviderPurpose, Returning } from "../../src/identity/sign_in/provider_sign_in.ts";
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

/** The identity module with two providers whose users are set by the test. */
export function providerWorld(changed: Partial<IdentityDeps> = {}) {
  const [google, microsoft] = [memoryProvider("google"), memoryProvider("microsoft")];
  const peers = { google, microsoft, github: memoryProvider("github") };
  const world = identityWorld({ providers: [google, microsoft], ...changed });
  const { identity, transaction } = world;

  /** The account of a full session. */
  const sessionOf = (token: string) => identity.sessionOf(token);

  /** Starts a visit at the provider; the cookie stays in the browser. */
  async function start(provider: ProviderName, purpose: ProviderPurpose = "sign_in", token?: string) {
    const session = token === undefined ? undefined : await sessionOf(token);
    return accepted(identity.startProvider({ provider, purpose }, session));
  }

  /** Returns from the provider. */
  async function finish(
    answer: { provider: ProviderName; state: string; code?: string },
    { visit, token, ip = HOME }: Partial<Pick<Returning, "visit" | "token" | "ip">>,
  ) {
    const session = token === undefined ? undefined : await sessionOf(token);
    return identity.finishProvider(answer, { ip, token, visit, session });
  }

  /** A complete visit. */
  async function visit(
    profile: ProviderProfile,
    { provider = "google", purpose = "sign_in", token, ip = HOME }: Visit = {},
  ): ReturnType<typeof finish> {
    const { url, cookie } = await start(provider, purpose, token);
    const answer = { provider, ...peers[provider].consent(url, profile) };
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

type Visit = { provider?: ProviderName; purpose?: ProviderPurpose; token?: string; ip?: string };
