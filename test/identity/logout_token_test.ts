import { describe, expect, test } from "bun:test";
import { oidcWorld } from "./oidc_world.ts";

const { issuer, provider, troubles } = await oidcWorld();
const invalid = { ok: false, code: "SIGNATURE_INVALID" } as const;
const seconds = () => Math.floor(Date.now() / 1000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("readLogoutToken()", () => {
  test.each([
    [{ sub: "alice" }, { subject: "alice" }],
    [{ sub: undefined, sid: "s-1" }, { sid: "s-1" }],
    [
      { sub: "alice", sid: "s-1" },
      { subject: "alice", sid: "s-1" },
    ],
  ])("accepts one that names %j", async (claims, of) => {
    const token = await issuer.logoutToken({ ...claims, jti: "j-1" });
    expect(await provider().readLogoutToken(token)).toEqual({
      ok: true,
      value: { id: "j-1", subject: undefined, sid: undefined, ...of },
    });
  });

  test.each([
    ["of another issuer", { iss: "https://evil.example" }],
    ["for another app", { aud: "their-id" }],
    ["that has expired", { exp: seconds() - 60 }],
    ["of long ago", { iat: seconds() - 600, exp: seconds() + 600 }],
    ["of the future", { iat: seconds() + 600, exp: seconds() + 900 }],
    ["without a time", { iat: undefined }],
    ["without an id", { jti: undefined }],
    ["that names no one", { sub: undefined }],
    ["without its event", { events: undefined }],
    ["of another event", { events: { "http://schemas.openid.net/event/other": {} } }],
    ["with a nonce, as ID tokens have", { nonce: "n" }],
  ])("refuses one %s", async (_, claims) => {
    expect(await provider().readLogoutToken(await issuer.logoutToken(claims))).toEqual(invalid);
  });

  test("refuses one that nobody, somebody else, or our own secret has signed", async () => {
    const [, claims = ""] = (await issuer.logoutToken()).split(".");
    const hmac = `${part({ alg: "HS256" })}.${claims}`;
    const mac = new Bun.CryptoHasher("sha256", issuer.clientSecret).update(hmac).digest("base64url");
    const forged = [
      `${part({ alg: "none" })}.${claims}.`,
      `${part({ alg: "RS256", kid: "first" })}.${claims}.c2ln`,
      `${hmac}.${mac}`,
      "",
      "not a token",
    ];
    for (const token of forged) expect(await provider().readLogoutToken(token)).toEqual(invalid);
  });

  test("refuses all where single logout is off", async () => {
    const off = provider({ singleLogout: false });
    expect(await off.readLogoutToken(await issuer.logoutToken())).toEqual(invalid);
  });

  test("is unavailable while the keys cannot be read, so that the provider tries again", async () => {
    const token = await issuer.logoutToken();
    issuer.behave({ answers: { "/jwks": () => new Response("down", { status: 503 }) } });
    expect(await provider().readLogoutToken(token)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
    expect(troubles).toHaveLength(1);
  });
});
