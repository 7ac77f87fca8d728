import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { answering, claimsOn, type Handler, startProviderPeer, VISIT } from "../support/provider_peer.ts";

const peer = startProviderPeer();
const { base, seen, troubles } = peer;
const { google: GOOGLE, microsoft: MICROSOFT, now: SECONDS } = claimsOn(base);
beforeEach(() => peer.forget());
afterAll(() => peer.stop());

const refused = { ok: false, code: "PROVIDER_REFUSED" } as const;
const unavailable = { ok: false, code: "PROVIDER_UNAVAILABLE" } as const;
const without = (claims: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

describe("arcticProvider() with an id_token", () => {
  const REFUSED: [string, object][] = [
    ["a nonce of another visit", { ...GOOGLE, nonce: "another" }],
    ["no nonce", without(GOOGLE, "nonce")],
    ["another app's audience", { ...GOOGLE, aud: "their-id" }],
    ["several audiences", { ...GOOGLE, aud: ["our-id", "their-id"] }],
    ["another issuer", { ...GOOGLE, iss: "https://accounts.example" }],
    ["an expiry of now", { ...GOOGLE, exp: SECONDS }],
    ["an expiry in words", { ...GOOGLE, exp: "2099-01-01" }],
    ["no end", without(GOOGLE, "exp")],
    ["no subject", without(GOOGLE, "sub")],
    ["an empty subject", { ...GOOGLE, sub: "" }],
  ];
  test.each(REFUSED)("rejects Google's with %s", async (_, claims) => {
    peer.on("/token", answering(claims));
    expect(await peer.provider("google").identify(VISIT)).toEqual(refused);
  });

  test("accepts a valid one from Google", async () => {
    peer.on("/token", answering(GOOGLE));
    const value = {
      subject: "alice-sub",
      email: GOOGLE.email,
      emailVerified: true,
      firstName: "Alice",
      lastName: "Meyer",
    };
    expect(await peer.provider("google").identify(VISIT)).toEqual({ ok: true, value });
    expect(troubles).toEqual([]);
  });

  test.each([false, "true", "false", 1, null, undefined])(
    "treats Google's email_verified %p as unverified",
    async (said) => {
      peer.on("/token", answering({ ...GOOGLE, email_verified: said }));
      expect(await peer.provider("google").identify(VISIT)).toMatchObject({
        ok: true,
        value: { emailVerified: false },
      });
    },
  );

  test("never treats Microsoft's email as verified, and identifies users by tenant and object id", async () => {
    const claims = {
      ...MICROSOFT,
      email_verified: true,
      xms_edov: true,
      verified_primary_email: [GOOGLE.email],
    };
    peer.on("/token", answering(claims));
    const names = { firstName: "Alice", lastName: "Meyer Rossi" };
    const value = { subject: `${MICROSOFT.tid}:${MICROSOFT.oid}`, email: GOOGLE.email, emailVerified: false, ...names };
    expect(await peer.provider("microsoft").identify(VISIT)).toEqual({ ok: true, value });
  });

  const FOREIGN: [string, object][] = [
    ["a tenant other than the signing one", { ...MICROSOFT, tid: MICROSOFT.oid }],
    ["no tenant", without(MICROSOFT, "tid")],
    ["a tenant that is a path", { ...MICROSOFT, tid: "..", iss: `${base}/../v2.0` }],
    ["no object", without(MICROSOFT, "oid")],
    ["a nonce of another visit", { ...MICROSOFT, nonce: "another" }],
  ];
  test.each(FOREIGN)("rejects Microsoft's with %s", async (_, claims) => {
    peer.on("/token", answering(claims));
    expect(await peer.provider("microsoft").identify(VISIT)).toEqual(refused);
  });

  test.each(["", "a.b", "a.b.c", "not a token", "e30.e30.e30"])("rejects %p as an id_token", async (id_token) => {
    peer.on("/token", () => Response.json({ id_token }));
    expect(await peer.provider("google").identify(VISIT)).toEqual(refused);
  });

  test("sends the code, the verifier and our keys in the body, and nothing of them in the URL", async () => {
    peer.on("/token", answering(GOOGLE));
    await peer.provider("google").identify(VISIT);
    expect(peer.paths()).toEqual(["/token"]);
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
      grant_type: "authorization_code",
      code: "the-code",
      code_verifier: "the-verifier",
      redirect_uri: "https://breachbell.example/sign-in/one",
      client_id: "our-id",
      client_secret: "our-secret",
    });
  });
});

describe("arcticProvider() with GitHub's API", () => {
  const EMAILS = [
    { email: "old@example.com", primary: false, verified: true },
    { email: "alice@example.com", primary: true, verified: true },
  ];
  beforeEach(() => {
    peer.on("/token", () => Response.json({ access_token: "gho_1", token_type: "bearer" }));
    peer.on("/api/user", () => Response.json({ id: 583231, login: "alice", name: null, email: "shown@example.com" }));
    peer.on("/api/user/emails", () => Response.json(EMAILS));
  });

  test("identifies the user by number, and takes the primary email if it is verified", async () => {
    const value = { subject: "583231", email: "alice@example.com", emailVerified: true };
    expect(await peer.provider("github").identify(VISIT)).toEqual({ ok: true, value });
    const asked = seen.slice(1);
    expect(asked.map(({ path }) => path).toSorted()).toEqual(["/api/user", "/api/user/emails"]);
    for (const { headers } of asked) expect(headers.get("Authorization")).toBe("Bearer gho_1");
    peer.on("/api/user/emails", () => Response.json([EMAILS[0], { ...EMAILS[1], verified: false }]));
    expect(await peer.provider("github").identify(VISIT)).toMatchObject({ value: { ...value, emailVerified: false } });
    peer.on("/api/user/emails", () => Response.json([EMAILS[0]]));
    expect(await peer.provider("github").identify(VISIT)).toMatchObject({ value: { email: "", emailVerified: false } });
  });

  test.each(["bad_verification_code", "access_denied"])("handles a 200 that says %s", async (error) => {
    peer.on("/token", () => Response.json({ error, error_description: "The code passed is incorrect or expired." }));
    expect(await peer.provider("github").identify(VISIT)).toEqual(refused);
    expect(peer.paths()).toEqual(["/token"]);
  });

  test("rejects a 200 without a token", async () => {
    peer.on("/token", () => Response.json({ scope: "" }));
    expect(await peer.provider("github").identify(VISIT)).toEqual(refused);
  });

  const BROKEN: [string, string, Handler][] = [
    ["has no id", "/api/user", () => Response.json({ login: "alice" })],
    ["has an id in words", "/api/user", () => Response.json({ id: "583231" })],
    ["fails", "/api/user", () => Response.json({}, { status: 500 })],
    ["is forbidden", "/api/user/emails", () => Response.json({ message: "gho_1" }, { status: 403 })],
    ["is not a list", "/api/user/emails", () => Response.json({ email: "alice@example.com" })],
    ["says verified in words", "/api/user/emails", () => Response.json([{ ...EMAILS[1], verified: "true" }])],
    ["leads elsewhere", "/api/user/emails", () => Response.redirect(`${base}/elsewhere`, 302)],
  ];
  test.each(BROKEN)("is unavailable when the response %s", async (_, path, handler) => {
    peer.on(path, handler);
    peer.on("/elsewhere", () => Response.json(EMAILS));
    expect(await peer.provider("github").identify(VISIT)).toEqual(unavailable);
    expect(peer.paths()).not.toContain("/elsewhere");
  });
});
