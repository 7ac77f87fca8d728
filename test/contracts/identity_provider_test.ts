import { afterAll, describe, expect, test } from "bun:test";
import { arcticProvider } from "../../src/identity/adapters/providers/arctic_provider.ts";
import { PROVIDERS, type ProviderName } from "../../src/identity/factors/factor_ports.ts";
import type { IdentityProvider, ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import { memoryProvider } from "../memory/identity/provider.ts";
import {
  consent,
  type ProviderEmulator,
  REDIRECT_BASE,
  startProviderEmulator,
  TENANT,
} from "../support/provider_emulators.ts";

/** A provider, and Alice who agrees there. */
type Opened = {
  provider: IdentityProvider;
  says: Omit<ProviderProfile, "subject">;
  subject: RegExp;
  consent(url: URL): Promise<{ code: string; state: string }>;
  troubles: string[];
};

const ALICE = { email: "alice@example.com", firstName: "Alice", lastName: "Meyer" };
const emulators = new Map<ProviderName, Promise<ProviderEmulator>>();

afterAll(async () => {
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

async function onEmulator(name: ProviderName): Promise<Opened> {
  const running = emulators.get(name) ?? startProviderEmulator(name);
  emulators.set(name, running);
  const { settings } = await running;
  const troubles: string[] = [];
  const redirectUri = `${REDIRECT_BASE}/${name}`;
  const onTrouble = (reason: string) => void troubles.push(reason);
  const { who, emailVerified, subject } = FACTS[name];
  return {
    provider: arcticProvider({ ...settings, redirectUri, now: () => new Date(), onTrouble }),
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

const openers: [string, () => Promise<Opened>][] = [
  ["memory", onMemory],
  ...PROVIDERS.map((name): [string, () => Promise<Opened>] => [`arctic with ${name}`, () => onEmulator(name)]),
];

const aVisit = () => ({ state: newToken(), verifier: newToken(), nonce: newToken() });

describe.each(openers)("IdentityProvider on %s", (_, open) => {
  test("a complete visit returns the user in the provider's own words, the same twice", async () => {
    const { provider, consent, says, subject, troubles } = await open();
    const subjects: string[] = [];
    for (const visit of [aVisit(), aVisit()]) {
      const { code, state } = await consent(provider.authorizationUrl(visit));
      expect(state).toBe(visit.state);
      const identified = await provider.identify({ code, verifier: visit.verifier, nonce: visit.nonce });
      expect(identified).toEqual({ ok: true, value: { subject: expect.stringMatching(subject), ...says } });
      if (identified.ok) subjects.push(identified.value.subject);
    }
    expect(new Set(subjects).size).toBe(1);
    expect(troubles).toEqual([]);
  });

  test("a code is valid once, even for ten concurrent uses", async () => {
    const { provider, consent } = await open();
    const visit = aVisit();
    const { code } = await consent(provider.authorizationUrl(visit));
    const answers = await Promise.all(Array.from({ length: 10 }, () => provider.identify({ ...visit, code })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await provider.identify({ ...visit, code })).toEqual({ ok: false, code: "PROVIDER_REFUSED" });
  });

  test("an unknown code is refused", async () => {
    const { provider } = await open();
    for (const code of ["unknown", "../token", "a&grant_type=refresh_token", "%00"])
      expect(await provider.identify({ ...aVisit(), code })).toEqual({ ok: false, code: "PROVIDER_REFUSED" });
  });
});

// The emulated GitHub checks neither, and the real one knows no nonce.
const binding = openers.filter(([name]) => !name.endsWith("github"));
describe.each(binding)("IdentityProvider on %s", (_, open) => {
  test.each(["verifier", "nonce"])("a code with the %s of another visit is refused", async (foreign) => {
    const { provider, consent } = await open();
    const visit = aVisit();
    const { code } = await consent(provider.authorizationUrl(visit));
    const answer = { ...visit, code, [foreign]: newToken() };
    expect(await provider.identify(answer)).toEqual({ ok: false, code: "PROVIDER_REFUSED" });
  });
});

describe("arcticProvider()", () => {
  test.each([...PROVIDERS])("uses the code flow for %s, with PKCE, state and nonce", async (name) => {
    const { provider } = await onEmulator(name);
    const { searchParams } = provider.authorizationUrl({ state: "S", verifier: "V".repeat(43), nonce: "N" });
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
    const { code } = await consent(provider.authorizationUrl(visit), "bob@example.com");
    expect(await provider.identify({ ...visit, code })).toMatchObject({
      ok: true,
      value: { email: "bob@example.com", emailVerified: false },
    });
  });

  test.each([...PROVIDERS])("reports to the operator when %s rejects our keys", async (name) => {
    await onEmulator(name);
    const { settings } = (await emulators.get(name)) as ProviderEmulator;
    const troubles: string[] = [];
    const wrong = { ...settings, clientSecret: "another-secret", redirectUri: `${REDIRECT_BASE}/${name}` };
    const provider = arcticProvider({ ...wrong, now: () => new Date(), onTrouble: (reason) => troubles.push(reason) });
    const visit = aVisit();
    const { code } = await consent(provider.authorizationUrl(visit), FACTS[name].who);
    expect(await provider.identify({ ...visit, code })).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    expect(troubles).toEqual([
      `the token endpoint refused us: ${name === "github" ? "incorrect_client_credentials" : "invalid_client"}`,
    ]);
  });
});
