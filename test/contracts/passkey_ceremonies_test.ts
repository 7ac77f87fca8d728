import { describe, expect, test } from "bun:test";
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { webauthnPasskeys } from "../../src/identity/adapters/secrets/passkeys_webauthn.ts";
import type { PasskeyCeremonies } from "../../src/identity/factors/ceremony_ports.ts";
import type { Passkey } from "../../src/identity/factors/factor_ports.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import { type Lies, type SoftwareAuthenticator, softwareAuthenticator } from "../support/software_authenticator.ts";

const SITE = "https://breachbell.example";
const ACCOUNT = { accountId: "a11ce000-0000-4000-8000-000000000001", email: "alice@example.com" };
const ADAPTERS: [string, (publicUrl: string) => PasskeyCeremonies][] = [["webauthnPasskeys", webauthnPasskeys]];
/** An untrusted attestation authority whose certificate is formally valid. Created for this test, valid until 2126. */
const ATTESTER = {
  certificate:
    "MIIB1TCCAXugAwIBAgIUGqPezL6P+UbDsohgRk9HfAb6puswCgYIKoZIzj0EAwIwUTELMAkGA1UEBhMCQ0gxEDAOBgNVBAoMB0FueWJvZHkxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDDAKBgNVBAMMA0tleTAgFw0yNjExMjIwMTA4NTBaGA8yMTI2MTAyOTAxMDg1MFowUTELMAkGA1UEBhMCQ0gxEDAOBgNVBAoMB0FueWJvZHkxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDDAKBgNVBAMMA0tleTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHTW6nfThYlYlfEZW2oPlPKG6mrDjG4cdbctOy5iCnJI9LdJg5J//s4FUjbXj51u06qiuVArL/6Vd/wanS29phSjLzAtMAwGA1UdEwEB/wQCMAAwHQYDVR0OBBYEFEKpKUuqzyusZOVHzZvuRWdx72WsMAoGCCqGSM49BAMCA0gAMEUCIGVJEw11iJdDskMPzP0ujR3d94bd716BTQ+1aQHu1NhjAiEA46OsfbwGXAcG7kUPWJ8+qgWRfZM/w84WKFh1aP6rJe4=",
  key: createPrivateKey({
    key: Buffer.from(
      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgY6SdAgcHBwIGTR72RzUhMH7reNUYxSHI/YqRCtWy3E2hRANCAAR01up304WJWJXxGVtqD5Tyhupqw4xuHHW3LTsuYgpySPS3SYOSf/7OBVI214+dbtOqorlQKy/+lXf8Gp0tvaYU",
      "base64",
    ),
    format: "der",
    type: "pkcs8",
  }),
};
const handle = (accountId: string) => Buffer.from(accountId).toString("base64url");

describe.each(ADAPTERS)("PasskeyCeremonies by %s", (_, open) => {
  const site = open(SITE);

  async function create(device: SoftwareAuthenticator, lies: Lies = {}) {
    const challenge = newToken();
    const options = site.creationOptions(challenge, { ...ACCOUNT, known: [] });
    return site.created(device.create(options, lies), challenge);
  }
  async function made(device: SoftwareAuthenticator): Promise<Passkey> {
    const created = await create(device);
    if (!created) throw new Error("Cannot make a passkey");
    const { accountId } = ACCOUNT;
    return { ...created, accountId, name: "Key", createdAt: new Date(0), lastUsedAt: undefined };
  }
  async function signIn(device: SoftwareAuthenticator, passkey: Passkey, lies: Lies = {}) {
    const challenge = newToken();
    const options = site.requestOptions(challenge, [passkey]);
    return site.signed(device.get(options, lies), { challenge, passkey });
  }

  test("creationOptions() are for this site and this account, and exclude the known passkeys", () => {
    const challenge = newToken();
    const known = [{ id: "AQID", transports: ["usb"] }];
    expect(site.creationOptions(challenge, { ...ACCOUNT, known })).toMatchObject({
      challenge,
      rp: { id: "breachbell.example", name: "Breachbell" },
      user: { id: handle(ACCOUNT.accountId), name: ACCOUNT.email },
      attestation: "none",
      excludeCredentials: [{ id: "AQID", transports: ["usb"], type: "public-key" }],
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred", requireResidentKey: false },
    });
  });

  test("requestOptions() allow the known passkeys", () => {
    const challenge = newToken();
    expect(site.requestOptions(challenge, [{ id: "AQID", transports: ["usb"] }])).toMatchObject({
      challenge,
      rpId: "breachbell.example",
      userVerification: "preferred",
      allowCredentials: [{ id: "AQID", transports: ["usb"], type: "public-key" }],
    });
  });

  test("created() and signed() accept a real key's response, even without user verification or a counter", async () => {
    const device = softwareAuthenticator();
    const passkey = await made(device);
    expect(passkey).toMatchObject({ id: device.id, counter: 1, transports: ["internal"] });
    expect(await signIn(device, passkey)).toEqual({ counter: 2 });
    expect(await signIn(device, passkey, { flags: 1, userHandle: handle(ACCOUNT.accountId) })).toEqual({ counter: 3 });
    const silent = softwareAuthenticator({ counts: false });
    expect(await signIn(silent, await made(silent))).toEqual({ counter: 0 });
  });

  const FOREIGN: [string, Lies][] = [
    ["another origin", { origin: "https://breachbell.example.evil.test" }],
    ["plain http", { origin: "http://breachbell.example" }],
    ["a subdomain", { origin: "https://www.breachbell.example" }],
    ["another rpID", { rpId: "evil.test" }],
    ["another challenge", { challenge: newToken() }],
    ["no user presence", { flags: 0 }],
  ];
  test.each(FOREIGN)("created() rejects %s", async (_name, lies) => {
    expect(await create(softwareAuthenticator(), lies)).toBeUndefined();
  });
  test.each([
    ...FOREIGN,
    ["a counter that does not increase", { counter: 1 }],
    ["a counter that decreases", { counter: 0 }],
    ["another account's handle", { userHandle: handle("b0b00000-0000-4000-8000-000000000002") }],
    ["a response to the other ceremony", { type: "webauthn.create" }],
  ] as [string, Lies][])("signed() refuses %s", async (_name, lies) => {
    const device = softwareAuthenticator();
    expect(await signIn(device, await made(device), lies)).toBeUndefined();
  });

  test("signed() rejects another key's signature under the passkey's id", async () => {
    const [device, other] = [softwareAuthenticator(), softwareAuthenticator()];
    const passkey = await made(device);
    const challenge = newToken();
    const options = site.requestOptions(challenge, [passkey]);
    const forged = { ...other.get(options), id: device.id, rawId: device.id };
    expect(await site.signed(forged, { challenge, passkey })).toBeUndefined();
  });

  test("created() rejects an id that is not the key's", async () => {
    const challenge = newToken();
    const options = site.creationOptions(challenge, { ...ACCOUNT, known: [] });
    const renamed = { ...softwareAuthenticator().create(options), id: "AQID", rawId: "AQID" };
    expect(await site.created(renamed, challenge)).toBeUndefined();
  });

  const packed =
    (more: [string, unknown][] = [], key?: KeyObject): NonNullable<Lies["attestation"]> =>
    (data, own) => {
      const sig = new Uint8Array(sign("sha256", data, key ?? own));
      return { fmt: "packed", attStmt: new Map<string, unknown>([["alg", -7], ["sig", sig], ...more]) };
    };

  test("created() accepts self-attestation, and no attestation certificate, however valid", async () => {
    const { certificate, key } = ATTESTER;
    expect(await create(softwareAuthenticator(), { attestation: packed() })).toBeDefined();
    const attestation = packed([["x5c", [new Uint8Array(Buffer.from(certificate, "base64"))]]], key);
    expect(await create(softwareAuthenticator(), { attestation })).toBeUndefined();
    for (const fmt of ["tpm", "apple", "android-key", "android-safetynet", "fido-u2f", "unheard-of"])
      expect(
        await create(softwareAuthenticator(), { attestation: () => ({ fmt, attStmt: new Map() }) }),
      ).toBeUndefined();
  });

  test("created() and signed() reject anything malformed", async () => {
    const challenge = newToken();
    const device = softwareAuthenticator();
    const passkey = await made(device);
    const answer = device.create(site.creationOptions(challenge, { ...ACCOUNT, known: [] }));
    const nested = Buffer.alloc(40_000, 0x81).toString("base64url");
    for (const attestationObject of ["", "A", "AAAA", nested, "é", answer.response.clientDataJSON])
      expect(
        await site.created({ ...answer, response: { ...answer.response, attestationObject } }, challenge),
      ).toBeUndefined();
    const signed = device.get(site.requestOptions(challenge, [passkey]));
    for (const authenticatorData of ["", "A", "AAAA", nested])
      expect(
        await site.signed({ ...signed, response: { ...signed.response, authenticatorData } }, { challenge, passkey }),
      ).toBeUndefined();
    for (const clientDataJSON of ["", "bnVsbA", "W10", "e30"])
      expect(
        await site.signed({ ...signed, response: { ...signed.response, clientDataJSON } }, { challenge, passkey }),
      ).toBeUndefined();
  });

  test("the port of the public URL is part of the origin, but not of the site", async () => {
    const local = open("http://localhost:3000");
    const challenge = newToken();
    const options = local.creationOptions(challenge, { ...ACCOUNT, known: [] });
    expect(options.rp.id).toBe("localhost");
    const device = softwareAuthenticator({ origin: "http://localhost:3000" });
    expect(await local.created(device.create(options), challenge)).toMatchObject({ id: device.id });
    expect(await local.created(device.create(options, { origin: "http://localhost:4000" }), challenge)).toBeUndefined();
  });
});
