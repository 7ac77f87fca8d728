import { decodeBase32IgnorePadding } from "@oslojs/encoding";
import { generateHOTP } from "@oslojs/otp";
import type { IdentityDeps } from "../../src/identity/mod.ts";
import { accepted } from "../support/builders.ts";
import { type Lies, type SoftwareAuthenticator, softwareAuthenticator } from "../support/software_authenticator.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

export const at = (token?: string, ip = HOME) => ({ ip, token });

/** The identity module with Alice and Bob, and helpers for apps, passkeys and recovery codes. */
export async function factorWorld(changed: Partial<IdentityDeps> = {}) {
  const world = identityWorld(changed);
  const { identity } = world;
  for (const person of [ALICE, BOB]) accepted(await identity.register(person, { ip: "203.0.113.9" }));

  /** The account with a full session. */
  async function holder(token: string) {
    const session = await identity.sessionOf(token);
    if (!session) throw new Error("No such session");
    return { accountId: session.accountId, sessionId: session.sessionId, client: at(token) };
  }
  type Holder = Awaited<ReturnType<typeof holder>>;

  return {
    ...world,
    holder,
    signedIn: async (person = ALICE) => holder(await world.signIn(person)),

    /** The app's current code, or the one `steps` periods of 30 seconds later. */
    appCode(secret: string, steps = 0): string {
      const step = Math.floor(world.now().getTime() / 30_000) + steps;
      return generateHOTP(decodeBase32IgnorePadding(secret), BigInt(step), 6);
    },
    /** Adds an authenticator app, half a minute ago. */
    async addApp(who: Holder) {
      const { secret } = accepted(await identity.addAuthenticator(who));
      const step = Math.floor(world.now().getTime() / 30_000);
      const code = generateHOTP(decodeBase32IgnorePadding(secret), BigInt(step), 6);
      const { recoveryCodes } = accepted(await identity.confirmAuthenticator({ code }, who));
      world.pass({ seconds: 30 });
      return { secret, recoveryCodes: recoveryCodes ?? [] };
    },
    async addKey(who: Holder, device = softwareAuthenticator(), name = "Key") {
      const options = accepted(await identity.passkeyCreationOptions(who));
      const { recoveryCodes } = accepted(await identity.addPasskey({ name, response: device.create(options) }, who));
      return { device, recoveryCodes: recoveryCodes ?? [] };
    },
    /** Completes the second step of the log-in behind `token` with a passkey. */
    async touchKey(device: SoftwareAuthenticator, token: string, lies: Lies = {}) {
      const options = accepted(await identity.passkeyRequestOptions({ token }));
      return identity.verifyPasskey({ response: device.get(options, lies) }, at(token));
    },
    /** The notification mails, and the account's events for them. */
    async told(): Promise<Record<string, string>[]> {
      const mails = (await world.mails()).filter(({ template }) => template === "security_changed");
      return mails.map(({ to, params: { at: _, ...params } }) => ({ to, ...params }));
    },
    history: async (accountId: string): Promise<Record<string, string>[]> =>
      (await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100)))
        .toReversed()
        .map(({ event, detail }) => ({ event, ...detail })),
  };
}
export type FactorWorld = Awaited<ReturnType<typeof factorWorld>>;
