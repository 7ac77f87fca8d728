import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { discovered } from "../../src/identity/adapters/providers/oidc_discovery.ts";
import { accepted } from "../support/builders.ts";
import { providerBrowser, startOidcIssuer } from "../support/oidc_issuer.ts";
import { oidcWorld, REDIRECT } from "./oidc_world.ts";

const world = await oidcWorld();
const { issuer, troubles, visit, provider, aVisit } = world;
const refused = { ok: false, code: "PROVIDER_REFUSED" } as const;
const unavailable = { ok: false, code: "PROVIDER_UNAVAILABLE" } as const;
const DISCOVERY = "/.well-known/openid-configuration";

type Handler = (request: Request) => Response | Promise<Response>;
const never: Handler = () => new Promise<Response>(() => {});
const huge: Handler = () => new Response(`{"id_token":"${"a".repeat(1024 * 1024)}"}`);
const bomb: Handler = () =>
  new Response(Bun.gzipSync(Buffer.alloc(20 * 1024 * 1024, " ")), { headers: { "Content-Encoding": "gzip" } });
const moved: Handler = (request) => Response.redirect(new URL("/elsewhere", request.url).href, 307);
const down: Handler = () => new Response("down", { status: 503 });

const ANSWERS: [string, Handler, string][] = [
  ["is down", down, "it answered in another form, with the status 503"],
  ["leads elsewhere", moved, "it answered in another form, with the status 307"],
  ["is no JSON", () => new Response("<h1>Hello</h1>"), "it answered in another form, with the status 200"],
  ["is huge", huge, "the answer is too large"],
  ["unpacks to something huge", bomb, "the answer is too large"],
];

describe("oidcProvider() when the discovery", () => {
  test.each(ANSWERS)("%s, is unavailable, and says why", async (_, handler, reason) => {
    issuer.behave({ answers: { [DISCOVERY]: handler } });
    expect(await provider().authorizationUrl(aVisit())).toEqual(unavailable);
    expect(troubles).toEqual([`its configuration cannot be read: ${reason}`]);
    expect(issuer.count("/elsewhere")).toBe(0);
  });

  test("names another issuer, refuses it", async () => {
    const metadata = { issuer: "https://id.example.org", jwks_uri: "https://id.example.org/jwks" };
    issuer.behave({ answers: { [DISCOVERY]: () => Response.json(metadata) } });
    expect(await provider().authorizationUrl(aVisit())).toEqual(unavailable);
    expect(troubles[0]).toContain("discovered metadata issuer does not match the expected issuer");
  });

  test("fails, asks once for many visits that begin together, and not again for ten seconds", async () => {
    issuer.behave({ answers: { [DISCOVERY]: down } });
    const by = provider();
    for (let i = 0; i < 3; i++) await Promise.all([1, 2, 3].map(() => by.authorizationUrl(aVisit())));
    expect(issuer.count(DISCOVERY)).toBe(1);
  });
});

describe("discovered()", () => {
  test("reads again every hour, and keeps what it knows while that fails", async () => {
    let time = 0;
    const current = discovered(issuer, () => time);
    const first = await current();
    time = 3_599_000;
    expect(await current()).toBe(first);
    issuer.behave({ answers: { [DISCOVERY]: down } });
    time = 3_600_000;
    expect(await current()).toBe(first);
    time += 9000;
    expect(await current()).toBe(first);
    expect(issuer.count(DISCOVERY)).toBe(2);
    issuer.behave();
    time += 1000;
    const second = await current();
    expect(second).not.toBe(first);
    // The keys are kept, with the limit on reading them again.
    expect(second.keys).toBe(first.keys);
    expect(issuer.count(DISCOVERY)).toBe(3);
  });
});

describe("oidcProvider() when the token endpoint", () => {
  test.each([
    ...ANSWERS,
    [
      "refuses our keys",
      () => Response.json({ error: "invalid_client" }, { status: 401 }),
      "the token endpoint refused us: invalid_client",
    ],
    [
      "quotes a secret",
      () => Response.json({ error: "client-secret the-code" }, { status: 400 }),
      "the token endpoint refused us: 400",
    ],
  ] as typeof ANSWERS)("%s, is unavailable, and says why", async (_, handler, reason) => {
    issuer.behave({ answers: { "/token": handler } });
    expect(await visit()).toEqual(unavailable);
    expect(troubles).toEqual([reason]);
    expect(issuer.count("/elsewhere")).toBe(0);
  });

  test("never answers, gives up after the deadline", async () => {
    issuer.behave({ answers: { "/token": never } });
    expect(await visit("alice", { by: provider({ timeoutMs: 200 }) })).toEqual(unavailable);
    expect(troubles).toEqual(["it took too long"]);
  });

  test("has one deadline with the keys", async () => {
    issuer.behave({ answers: { "/jwks": never } });
    expect(await visit("alice", { by: provider({ timeoutMs: 200 }) })).toEqual(unavailable);
    expect(troubles).toEqual(["it took too long"]);
  });
});

describe("oidcProvider() with a provider that keeps claims out of the ID token", () => {
  let conforming: Awaited<ReturnType<typeof startOidcIssuer>> | undefined;
  afterEach(() => conforming?.close());

  async function visitThere(answers: Record<string, Handler> = {}) {
    conforming = await startOidcIssuer({ redirectUris: [REDIRECT], conforms: true });
    conforming.behave({ answers });
    const by = provider({ issuer: conforming.issuer, staffGroup: { claim: "groups", group: "admins" } });
    const values = aVisit();
    const { code, iss } = await providerBrowser().consent(accepted(await by.authorizationUrl(values)));
    return by.identify({ ...values, code, iss });
  }

  test("reads them at the userinfo endpoint", async () => {
    expect(await visitThere()).toMatchObject({
      ok: true,
      value: { email: "alice@example.com", emailVerified: true, firstName: "Alice", isStaff: true },
    });
    expect(conforming?.count("/me")).toBe(1);
  });

  test("refuses those of another person", async () => {
    const stranger = () => Response.json({ sub: "bob", email: "bob@example.com", email_verified: true });
    expect(await visitThere({ "/me": stranger })).toEqual(refused);
  });

  test("is unavailable while they cannot be read", async () => {
    expect(await visitThere({ "/me": down })).toEqual(unavailable);
  });
});

describe("oidcProvider() as Microsoft", () => {
  const TID = "5c6a6a9c-92f0-4a0b-9b3a-1f0d2c3b4a59";
  const OID = "0d8f3c59-4a0e-4a34-8f5c-5b7c9a1f2e10";
  const by = () => provider({ name: "microsoft", singleLogout: false });

  test("never counts its email as verified, and identifies people by tenant and object id", async () => {
    const claimed = { tid: TID, oid: OID, email_verified: true, xms_edov: true };
    issuer.behave({ idToken: (claims) => ({ ...claims, ...claimed }) });
    expect(await visit("alice", { by: by() })).toMatchObject({
      ok: true,
      value: { subject: `${TID}:${OID}`, email: "alice@example.com", emailVerified: false },
    });
  });

  test.each([
    ["no tenant", { oid: OID }],
    ["a tenant that is a path", { tid: "..", oid: OID }],
    ["no object", { tid: TID }],
  ])("refuses an ID token with %s", async (_, ids) => {
    issuer.behave({ idToken: (claims) => ({ ...claims, ...ids }) });
    expect(await visit("alice", { by: by() })).toEqual(refused);
  });

  test.each([
    [TID, true],
    [OID, false],
  ])("of many tenants, accepts the one that signs: %s", async (signer, isAccepted) => {
    const home = "https://login.microsoftonline.com";
    const metadata = {
      issuer: `${home}/{tenantid}/v2.0`,
      authorization_endpoint: `${home}/common/oauth2/v2.0/authorize`,
      token_endpoint: `${home}/common/oauth2/v2.0/token`,
      jwks_uri: `${home}/common/discovery/v2.0/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    };
    const now = Math.floor(Date.now() / 1000);
    const ids = { iss: `${home}/${signer}/v2.0`, tid: TID, oid: OID, nonce: "N" };
    const idToken = await issuer.logoutToken({ ...ids, iat: now, exp: now + 60, events: undefined });
    const real = globalThis.fetch;
    const answers: Record<string, () => Response | Promise<Response>> = {
      "/common/v2.0/.well-known/openid-configuration": () => Response.json(metadata),
      "/common/oauth2/v2.0/token": () => Response.json({ access_token: "a", token_type: "bearer", id_token: idToken }),
      "/common/discovery/v2.0/keys": () => real(`${issuer.issuer}/jwks`),
    };
    const fetched = spyOn(globalThis, "fetch").mockImplementation(
      (async (url: string) => answers[new URL(url).pathname]?.() ?? new Response(null, { status: 404 })) as never,
    );
    try {
      const microsoft = provider({ name: "microsoft", issuer: `${home}/common/v2.0`, singleLogout: false });
      const identified = await microsoft.identify({ code: "c", verifier: "V".repeat(43), nonce: "N" });
      expect(identified.ok).toBe(isAccepted);
    } finally {
      fetched.mockRestore();
    }
  });
});
