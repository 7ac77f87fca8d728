import { describe, expect, setSystemTime, test } from "bun:test";
import { accepted } from "../support/builders.ts";
import { PEOPLE } from "../support/oidc_issuer.ts";
import { LOGGED_OUT, oidcWorld } from "./oidc_world.ts";

const world = await oidcWorld();
const announcing = await oidcWorld({ metadata: { id_token_signing_alg_values_supported: ["none", "HS256", "RS256"] } });
const { issuer, troubles, visit, provider } = world;
const refused = { ok: false, code: "PROVIDER_REFUSED" } as const;
const unavailable = { ok: false, code: "PROVIDER_UNAVAILABLE" } as const;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = () => Math.floor(Date.now() / 1000);

describe("oidcProvider() with a provider that behaves", () => {
  test("identifies a person, and keeps what single logout needs", async () => {
    const { email, given_name: firstName, family_name: lastName } = PEOPLE.alice ?? {};
    const identified = await visit();
    expect(identified).toEqual({
      ok: true,
      value: {
        subject: "alice",
        email,
        emailVerified: true,
        firstName,
        lastName,
        hasSecondStep: false,
        authenticatedAt: expect.any(Date),
        session: { idToken: expect.stringMatching(/^e/) },
      },
    } as never);
    expect(troubles).toEqual([]);
    const again = await visit("alice", { by: provider({ singleLogout: false }) });
    expect(again).toMatchObject({ ok: true });
    expect(again.ok && again.value.session).toBeFalsy();
  });

  test("asks with PKCE, state and nonce, and to log in once more for reauthentication", async () => {
    const values = { state: "S", verifier: "V".repeat(43), nonce: "N" };
    const asked = async (options = {}) =>
      Object.fromEntries(accepted(await provider().authorizationUrl(values, options)).searchParams);
    expect(await asked()).toEqual({
      response_type: "code",
      client_id: issuer.clientId,
      redirect_uri: "https://breachbell.example/sign-in/oidc",
      scope: "openid email profile",
      state: "S",
      nonce: "N",
      code_challenge_method: "S256",
      code_challenge: new Bun.CryptoHasher("sha256").update("V".repeat(43)).digest("base64url"),
    });
    expect(await asked({ isReauthentication: true })).toMatchObject({ prompt: "login", max_age: "0" });
  });

  test("reads the configuration and the keys once for many people", async () => {
    const by = provider();
    for (const who of ["alice", "bob", "alice"]) expect(await visit(who, { by })).toMatchObject({ ok: true });
    expect([issuer.count("/.well-known/openid-configuration"), issuer.count("/jwks")]).toEqual([1, 1]);
  });

  test.each([
    [true, true],
    [false, false],
    ["true", false],
    [1, false],
    [undefined, false],
  ])("takes email_verified %p as %p", async (said, emailVerified) => {
    issuer.behave({ idToken: (claims) => ({ ...claims, email_verified: said }) });
    expect(await visit()).toMatchObject({ ok: true, value: { emailVerified } });
  });

  test("counts the addresses of a provider that the operator vouches for as verified", async () => {
    const by = provider({ trustsEmail: true });
    expect(await visit("bob", { by })).toMatchObject({ ok: true, value: { emailVerified: true } });
    issuer.behave({ idToken: (claims) => ({ ...claims, email: "" }) });
    expect(await visit("bob", { by })).toMatchObject({ ok: true, value: { email: "", emailVerified: false } });
  });

  test.each([
    [{ amr: ["pwd", "mfa"] }, true],
    [{ amr: "otp" }, true],
    [{ acr: "gold" }, true],
    [{ amr: ["pwd"], acr: "silver" }, false],
    [{ amr: [1, "mfa"] }, false],
    [{ amr: { mfa: true }, acr: 1 }, false],
    [{}, false],
  ])("counts %j as a second step: %p", async (claims, hasSecondStep) => {
    issuer.behave({ idToken: (all) => ({ ...all, ...claims }) });
    const by = provider({ trustedMfa: ["mfa", "otp", "gold"] });
    expect(await visit("alice", { by })).toMatchObject({ ok: true, value: { hasSecondStep } });
    // Nothing counts unless the operator says so.
    expect(await visit()).toMatchObject({ value: { hasSecondStep: false } });
  });

  test.each([
    ["alice", "admins", true],
    ["bob", "admins", false],
    ["alice", "Admins", false],
    ["alice", "admin", false],
  ])("says whether %s is in the group %s: %p", async (who, group, isStaff) => {
    const by = provider({ staffGroup: { claim: "groups", group } });
    expect(await visit(who, { by })).toMatchObject({ ok: true, value: { isStaff } });
  });

  test("leads to the provider's logout, unless it is off or the provider does not answer", async () => {
    const url = await provider().logoutUrl("the-token");
    expect(url?.pathname).toBe("/session/end");
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      id_token_hint: "the-token",
      client_id: issuer.clientId,
      post_logout_redirect_uri: LOGGED_OUT,
    });
    expect(await provider({ singleLogout: false }).logoutUrl("the-token")).toBeUndefined();
    issuer.behave({ answers: { "/.well-known/openid-configuration": () => new Response(null, { status: 503 }) } });
    expect(await provider().logoutUrl("the-token")).toBeUndefined();
  });

  test("binds stored identities to the issuer, and knows Google by its own name", () => {
    expect(provider().key).toBe(issuer.issuer);
    expect(provider({ issuer: "https://id.example.org/realms/home/" }).key).toBe("https://id.example.org/realms/home");
    expect(provider({ issuer: "https://accounts.google.com" }).key).toBe("google");
    expect(provider({ name: "microsoft" }).key).toBe("microsoft");
  });
});

describe("oidcProvider() with an ID token that is not for us or not to be trusted", () => {
  const CLAIMS: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ["a nonce of another visit", (claims) => ({ ...claims, nonce: "another" })],
    ["no nonce", ({ nonce: _, ...claims }) => claims],
    ["another app's audience", (claims) => ({ ...claims, aud: "their-id" })],
    ["several audiences without saying who asked", (claims) => ({ ...claims, aud: ["breachbell", "their-id"] })],
    ["another app as the asking one", (claims) => ({ ...claims, aud: ["breachbell", "their-id"], azp: "their-id" })],
    ["another issuer", (claims) => ({ ...claims, iss: "https://accounts.example" })],
    ["an end in the past", (claims) => ({ ...claims, exp: seconds() - 60 })],
    ["an end in words", (claims) => ({ ...claims, exp: "2099-01-01" })],
    ["no end", ({ exp: _, ...claims }) => claims],
    ["a beginning in the future", (claims) => ({ ...claims, nbf: seconds() + 600 })],
    ["no subject", ({ sub: _, ...claims }) => claims],
  ];
  test.each(CLAIMS)("refuses %s, and tells the operator", async (_, idToken) => {
    issuer.behave({ idToken });
    expect(await visit()).toEqual(refused);
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toStartWith("its answer is not accepted: ");
    expect(troubles[0]).not.toContain("alice");
  });

  const RAW: [string, (claims: object) => string][] = [
    ["without a signature", (claims) => `${part({ alg: "none" })}.${part(claims)}.`],
    ["with a signature of something else", (claims) => `${part({ alg: "RS256", kid: "first" })}.${part(claims)}.c2ln`],
    [
      "signed with the client secret",
      (claims) => {
        const signed = `${part({ alg: "HS256" })}.${part(claims)}`;
        const hasher = new Bun.CryptoHasher("sha256", issuer.clientSecret).update(signed);
        return `${signed}.${hasher.digest("base64url")}`;
      },
    ],
    ["that is none", () => "not a token"],
    ["that is empty", () => "a.b.c"],
  ];
  test.each(RAW)("refuses one %s", async (_, rawIdToken) => {
    issuer.behave({ rawIdToken });
    expect(await visit()).toEqual(refused);
    expect(troubles).toHaveLength(1);
  });

  test("refuses none at all", async () => {
    const answers = { "/token": () => Response.json({ access_token: "a", token_type: "bearer" }) };
    issuer.behave({ answers });
    expect(await visit()).toEqual(refused);
  });

  test("refuses unsigned ones even from a provider that announces them", async () => {
    for (const [, rawIdToken] of RAW.slice(0, 3)) {
      announcing.issuer.behave({ rawIdToken });
      expect(await announcing.visit()).toEqual(refused);
    }
  });
});

describe("oidcProvider() with the browser's answer", () => {
  test("refuses an answer of another provider (mix-up), and one that does not say whose it is", async () => {
    const asked = issuer.count("/token");
    expect(await visit("alice", { bent: ({ code }) => ({ code, iss: "https://evil.example" }) })).toEqual(refused);
    expect(await visit("alice", { bent: ({ code }) => ({ code }) })).toEqual(refused);
    // The code was not handed to anyone.
    expect(issuer.count("/token")).toBe(asked);
  });

  test("refuses a code that was used before", async () => {
    const by = provider();
    let first = "";
    const bent = ({ code, iss }: { code: string; iss?: string | undefined }) => {
      first ||= code;
      return { code: first, iss };
    };
    expect(await visit("alice", { by, bent })).toMatchObject({ ok: true });
    expect(await visit("alice", { by, bent })).toEqual(refused);
  });

  test.each(["verifier", "nonce"])("refuses a code with the %s of another visit", async (name) => {
    expect(await visit("alice", { bent: (returned) => ({ ...returned, [name]: "x".repeat(43) }) })).toEqual(refused);
  });
});

describe("oidcProvider() when keys change", () => {
  test("accepts a rotated key after one look, and looks no more than every half minute", async () => {
    const by = provider();
    expect(await visit("alice", { by })).toMatchObject({ ok: true });
    await issuer.rotate("second");
    const start = Date.now();
    try {
      // The keys were just read: not again at once, whatever a token says.
      for (let i = 0; i < 3; i++) expect(await visit("alice", { by })).toEqual(refused);
      expect(issuer.count("/jwks")).toBe(1);
      setSystemTime(start + 31_000);
      expect(await visit("alice", { by })).toMatchObject({ ok: true });
      expect(issuer.count("/jwks")).toBe(2);
      issuer.behave({ rawIdToken: (claims) => `${part({ alg: "RS256", kid: "none" })}.${part(claims)}.c2ln` });
      for (let i = 0; i < 3; i++) expect(await visit("alice", { by })).toEqual(refused);
      expect(issuer.count("/jwks")).toBe(2);
    } finally {
      setSystemTime();
    }
  });

  test("is unavailable while the keys cannot be read", async () => {
    issuer.behave({ answers: { "/jwks": () => new Response("down", { status: 503 }) } });
    expect(await visit()).toEqual(unavailable);
    expect(troubles).toEqual(["its keys cannot be read"]);
  });
});
