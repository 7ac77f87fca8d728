import { afterAll, describe, expect, test } from "bun:test";
import { githubProvider } from "../../src/identity/adapters/providers/github_provider.ts";
import { oidcProvider } from "../../src/identity/adapters/providers/oidc_provider.ts";
import type { IdentityProvider, ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import { memoryProvider } from "../memory/identity/provider.ts";
import { accepted } from "../support/builders.ts";
import { type OidcIssuer, providerBrowser, startOidcIssuer } from "../support/oidc_issuer.ts";
import {
  consent,
  EMULATED,
  type EmulatedName,
  type ProviderEmulator,
  REDIRECT_BASE,
  startProviderEmulator,
  TENANT,
} from "../support/provider_emulators.ts";

/** A provider, and Alice who agrees there. */
type Opened = {
  provider: IdentityProvider;
  says: Partial<ProviderProfile>;
  subject: RegExp;
  consent(url: URL): Promise<{ code: string; state: string; iss?: string }>;
  troubles: string[];
};

const ALICE = { email: "alice@example.com", firstName: "Alice", lastName: "Meyer" };
const emulators = new Map<EmulatedName, Promise<ProviderEmulator>>();
let issuer: Promise<OidcIssuer> | undefined;

afterAll(async () => {
  await (await issuer)?.close();
  for (const emulator of emulators.values()) await (await emulator).close();
});

async function onMemory(): Promise<Opened> {
  const memory = memoryProvider("google");
  const says = { ...ALICE, emailVerified: true };
  const consent = async (url: URL) => memory.consent(url, { subject: "alice", ...says });
  return { provider: memory, says, subject: /^alice$/, consent, troubles: [] };
}

const FACTS = {
  google: { who: ALICE.email, emailVerified: true, subject: /^\w+/ },
  github: { who: "alice", emailVerified: true, subject: /^[1-9]\d*$/ },
  microsoft: { who: ALICE.email, emailVerified: false, subject: new RegExp(`^${TENANT}:[0-9a-f-]{36}$`) },
};

async function onEmulator(name: EmulatedName): Promise<Opened> {
  const running = emulators.get(name) ?? startProviderEmulator(name);
  emulators.set(name, running);
  const { config } = await running;
  const troubles: string[] = [];
  const redirectUri = `${REDIRECT_BASE}/${name}`;
  const onTrouble = (reason: string) => void troubles.push(reason);
  const { who, emailVerified, subject } = FACTS[name];
  return {
    provider: openedWith(config, { redirectUri, onTrouble }),
    says: { ...ALICE, emailVerified },
    subject,
    async consent(url) {
      const { at, ...answer } = await consent(url, who);
      expect(at).toBe(redirectUri);
      return answer;
    },
    troubles,
  };
}

function openedWith(
  config: ProviderEmulator["config"],
  around: { redirectUri: string; onTrouble: (reason: string) => void },
): IdentityProvider {
  return config.kind === "github"
    ? githubProvider({ ...config, ...around })
    : oidcProvider({ ...config, ...around, loggedOutUri: "https://breachbell.example/login" });
}

async function onIssuer(): Promise<Opened> {
  const redirectUri = `${REDIRECT_BASE}/oidc`;
  issuer ??= startOidcIssuer({ redirectUris: [redirectUri] });
  const { issuer: url, clientId, clientSecret } = await issuer;
  const troubles: string[] = [];
  const none = { trustedMfa: [], trustsEmail: false, staffGroup: undefined, singleLogout: false };
  const named = { kind: "oidc", name: "oidc", label: "Home", icon: "key" } as const;
  const settings = { ...named, ...none, issuer: url, clientId, clientSecret, scopes: ["openid", "email", "profile"] };
  return {
    provider: openedWith(settings, { redirectUri, onTrouble: (reason) => void troubles.push(reason) }),
    says: { ...ALICE, emailVerified: true },
    subject: /^alice$/,
    async consent(url) {
      const { at, ...answer } = await providerBrowser().consent(url);
      expect(at).toBe(redirectUri);
      return answer;
    },
    troubles,
  };
}

const openers: [string, () => Promise<Opened>][] = [
  ["memory", onMemory],
  ["oidc-provider", onIssuer],
  ...EMULATED.map((name): [string, () => Promise<Opened>] => [`emulated ${name}`, () => onEmulator(name)]),
];

const aVisit = () => ({ state: newToken(), verifier: newToken(), nonce: newToken() });

describe.each(openers)("IdentityProvider on %s", (_, open) => {
  test("a complete visit returns the user in the provider's own words, the same twice", async () => {
    const { provider, consent, says, subject, troubles } = await open();
    const subjects: string[] = [];
    for (const visit of [aVisit(), aVisit()]) {
      const { state, ...answer } = await consent(accepted(await provider.authorizationUrl(visit)));
      expect(state).toBe(visit.state);
      const identified = await provider.identify({ ...answer, verifier: visit.verifier, nonce: visit.nonce });
      if (identified.ok) subjects.push(identified.value.subject);
      expect(identified).toMatchObject({ ok: true, value: says });
    }
    expect(subjects.filter((one) => subject.test(one))).toHaveLength(2);
    expect(new Set(subjects).size).toBe(1);
    expect(troubles).toEqual([]);
  });

  test("a code is valid once, even for ten concurrent uses", async () => {
    const { provider, consent } = await open();
    const visit = aVisit();
    const answer = { ...visit, ...(await consent(accepted(await provider.authorizationUrl(visit)))) };
    const answers = await Promise.all(Array.from({ length: 10 }, () => provider.identify(answer)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await provider.identify(answer)).toEqual({ ok: false, code: "PROVIDER_REFUSED" });
  });

  test("an unknown code is refused", async () => {
    const { provider, consent } = await open();
    const visit = aVisit();
    const { iss } = await consent(accepted(await provider.authorizationUrl(visit)));
    for (const code of ["unknown", "../token", "a&grant_type=refresh_token", "%00"])
      expect(await provider.identify({ ...visit, code, iss })).toEqual({ ok: false, code: "PROVIDER_REFUSED" });
  });
});

// The emulated GitHub checks neither, and the real one knows no nonce.
const binding = openers.filter(([name]) => !name.endsWith("github"));
describe.each(binding)("IdentityProvider on %s", (_, open) => {
  test.each(["verifier", "nonce"])("a code with the %s of another visit is refused", async (foreign) => {
    const { provider, consent } = await open();
    const visit = aVisit();
    const returned = await consent(accepted(await provider.authorizationUrl(visit)));
    const answer = { ...visit, ...returned, [foreign]: newToken() };
    expect(await provider.identify(answer)).toEqual({ ok: false, code: "PROVIDER_REFUSED" });
  });
});

describe("An emulated provider", () => {
  test.each([...EMULATED])("uses the code flow for %s, with PKCE, state and nonce", async (name) => {
    const { provider } = await onEmulator(name);
    const visit = { state: "S", verifier: "V".repeat(43), nonce: "N" };
    const { searchParams } = accepted(await provider.authorizationUrl(visit));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: "breachbell-id",
      redirect_uri: `${REDIRECT_BASE}/${name}`,
      state: "S",
      nonce: "N",
      code_challenge_method: "S256",
      code_challenge: new Bun.CryptoHasher("sha256").update("V".repeat(43)).digest("base64url"),
      scope: name === "github" ? "read:user user:email" : "openid email profile",
    });
    expect(searchParams.toString()).not.toContain("secret");
  });

  test("reports that Google has not verified an email", async () => {
    const { provider } = await onEmulator("google");
    const visit = aVisit();
    const { code } = await consent(accepted(await provider.authorizationUrl(visit)), "bob@example.com");
    expect(await provider.identify({ ...visit, code })).toMatchObject({
      ok: true,
      value: { email: "bob@example.com", emailVerified: false },
    });
  });

  test.each([...EMULATED])("reports to the operator when %s rejects our keys", async (name) => {
    await onEmulator(name);
    const { config } = (await emulators.get(name)) as ProviderEmulator;
    const troubles: string[] = [];
    const provider = openedWith(
      { ...config, clientSecret: "another-secret" },
      { redirectUri: `${REDIRECT_BASE}/${name}`, onTrouble: (reason) => void troubles.push(reason) },
    );
    const visit = aVisit();
    const { code } = await consent(accepted(await provider.authorizationUrl(visit)), FACTS[name].who);
    expect(await provider.identify({ ...visit, code })).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    expect(troubles).toEqual([
      `the token endpoint refused us: ${name === "github" ? "incorrect_client_credentials" : "invalid_client"}`,
    ]);
  });
});
