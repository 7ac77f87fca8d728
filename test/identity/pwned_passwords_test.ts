import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { pwnedPasswords } from "../../src/identity/adapters/secrets/pwned_passwords.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { PWNED_PASSWORDS_FAILURES, sha1, startPwnedPasswordsPeer } from "../support/pwned_passwords_peer.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

const BREACHED = "Correct-Horse-Battery-9";
const PADDING = "padding 7";
const FINE = "Violet-Teapot-Orbit-31";
const FAILURES = Object.keys(PWNED_PASSWORDS_FAILURES) as (keyof typeof PWNED_PASSWORDS_FAILURES)[];

let peer: Awaited<ReturnType<typeof startPwnedPasswordsPeer>>;
const warnings: unknown[] = [];

beforeAll(async () => {
  peer = await startPwnedPasswordsPeer({ [BREACHED]: 1, password: 9_545_824 });
});
afterEach(() => {
  peer.failWith(undefined);
  peer.endLinesWith("\r\n");
  peer.asked.length = 0;
  warnings.length = 0;
});
afterAll(() => peer.stop());

/** Long enough for a machine that stalls for a moment. */
const TIMEOUT_MS = 15_000;

function service({ baseUrl = peer.url, timeoutMs = TIMEOUT_MS } = {}) {
  const warn = (_: string, { reason }: Record<string, unknown>) => void warnings.push(reason);
  return pwnedPasswords({ baseUrl, userAgent: "Breachbell/1 (+https://breachbell.example)", warn, timeoutMs });
}

describe("pwnedPasswords()", () => {
  test.each(["\r\n", "\n"] as const)(
    "finds breached passwords, and no padding, in lines that end with %j",
    async (end) => {
      peer.endLinesWith(end);
      const found = ["password", BREACHED, PADDING, FINE].map((password) => service().has(password));
      expect(await Promise.all(found)).toEqual([true, true, false, false]);
      expect(warnings).toEqual([]);
    },
  );

  test("sends five digits of the hash, asks for padding and names the product", async () => {
    await service().has("password");
    expect(peer.asked).toEqual([
      { path: "/range/5BAA6", padding: "true", userAgent: "Breachbell/1 (+https://breachbell.example)" },
    ]);
  });

  test.each(FAILURES)(
    "does not stand in anybody's way after this failure, and tells the operator: %s",
    async (failure) => {
      peer.failWith(failure);
      expect(await service(failure === "hang" ? { timeoutMs: 100 } : {}).has("password")).toBe(false);
      expect(warnings).toEqual([expect.any(String)]);
      expect(JSON.stringify(warnings)).not.toMatch(/5BAA6|password/i);
    },
  );

  test("refuses plain http to another machine", () => {
    expect(() => service({ baseUrl: "http://api.pwnedpasswords.com" })).toThrow(
      'Cannot use the Pwned Passwords base URL "http://api.pwnedpasswords.com": it must be https, except on this machine',
    );
  });
});

describe("a password that became known through a breach", () => {
  const refused = fail("INVALID_INPUT", { fields: { password: "PASSWORD_TOO_COMMON" } });

  test("is refused at registration, which counts, so that nobody can have the service asked without end", async () => {
    const world = identityWorld({ breachedPasswords: service() });
    const register = (password: string) => world.identity.register({ ...ALICE, password }, { ip: HOME });
    for (let tries = 0; tries < 10; tries += 1) expect(await register(BREACHED)).toEqual(refused);
    expect(await register(BREACHED)).toMatchObject({ code: "RATE_LIMITED" });
    expect(peer.asked.map(({ path }) => path)).toEqual(Array(10).fill(`/range/${sha1(BREACHED).slice(0, 5)}`));
    expect(await world.userOf(ALICE.email)).toBeUndefined();
  });

  test("is refused for a reset and a change, which leaves the link and the session as they are", async () => {
    const world = identityWorld({ breachedPasswords: service() });
    await world.identity.register(ALICE, { ip: HOME });
    const token = await world.signIn();
    const accountId = (await world.userOf(ALICE.email))?.id ?? "";
    const change = (password: string) =>
      world.identity.changePassword({ accountId }, { password }, { ip: HOME, token, device: {} });
    expect(await change(BREACHED)).toEqual(refused);
    expect(await world.identity.sessionOf(token)).toBeDefined();
    await world.forgot();
    const link = await world.resetToken();
    const reset = (password: string) => world.identity.resetPassword({ token: link, password }, { ip: HOME });
    expect(await reset(BREACHED)).toEqual(refused);
    expect(await reset(FINE)).toMatchObject({ ok: true });
  });

  test("is accepted while the service cannot be asked", async () => {
    peer.failWith("503");
    const world = identityWorld({ breachedPasswords: service() });
    const registered = await world.identity.register({ ...ALICE, password: BREACHED }, { ip: HOME });
    expect(registered).toEqual(ok({ email: ALICE.email }));
  });
});
