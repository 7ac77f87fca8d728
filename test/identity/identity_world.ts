import type { Event, MailRequested } from "../../src/events/catalogue.ts";
import { hotpCodes } from "../../src/identity/adapters/secrets/authenticator_codes.ts";
import { webauthnPasskeys } from "../../src/identity/adapters/secrets/passkeys_webauthn.ts";
import { randomCode, randomRecoveryCode } from "../../src/identity/adapters/secrets/random_code.ts";
import type { RegisterInput } from "../../src/identity/inputs.ts";
import { createIdentity, type IdentityDeps } from "../../src/identity/mod.ts";
import type { Visitor } from "../../src/identity/ports.ts";
import type { AccountFacts } from "../../src/identity/staff/staff_ports.ts";
import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryIdentity, plainPasswords } from "../memory/identity/store.ts";

export const ALICE: RegisterInput = {
  firstName: "Alice",
  lastName: "Meyer",
  email: "alice@example.com",
  password: "Tr4in-Window-Seat",
  confirmPassword: "Tr4in-Window-Seat",
  language: "de",
  terms: true,
};
export const BOB: RegisterInput = {
  ...ALICE,
  firstName: "Bob",
  lastName: "Rossi",
  email: "bob@example.com",
  language: "it",
};
export const HOME = "192.0.2.1";
const NO_FACTS: AccountFacts = {
  counts: { addresses: 0, alerts: 0, pendingAlerts: 0 },
  plan: {
    name: null,
    status: "inactive",
    quantity: null,
    cap: 3,
    trialEndsAt: null,
    periodEnd: null,
    granted: null,
  },
  contactCount: 0,
  contacts: [],
  deliveries: [],
};
const NO_SUBSCRIPTION = { plan: null, active: true, bought: false };

/** The identity module on the in-memory database, with a clock that only moves when told to. */
export function identityWorld(changed: Partial<IdentityDeps> = {}) {
  const database = memoryDatabase();
  const transaction = database.transactionOf(memoryIdentity);
  const events = database.transactionOf((tables) => tables<{ event: Event }>("events"));
  const { mac, cipher } = keysOf("a secret of at least thirty-two characters");
  let time = Date.parse("2026-11-20T12:00:00Z");
  const deps: IdentityDeps = {
    transaction,
    drainFor: async () => {},
    passwords: plainPasswords(),
    commonPasswords: new Set(["password", "sunshine1"]),
    providers: [],
    hostName: "localhost",
    termsVersion: "2.0",
    sessionProfile: "default",
    registration: { mode: "open", domains: [] },
    now: () => new Date(time),
    newId: () => crypto.randomUUID(),
    newToken,
    hashToken,
    newCode: randomCode,
    newRecoveryCode: randomRecoveryCode,
    oneTimePasswords: hotpCodes(),
    passkeyCeremonies: webauthnPasskeys("https://breachbell.example"),
    codeMails: { areDelayed: async () => false },
    mailboxLeaks: { of: async () => false },
    mac,
    cipher,
    belongings: {
      of: async () => ({
        addresses: 0,
        alerts: 0,
        contacts: 0,
        subscription: NO_SUBSCRIPTION,
        watchedBy: { items: [], total: 0 },
      }),
    },
    records: {},
    accountFacts: { of: async () => NO_FACTS },
    ...changed,
  };
  const identity = createIdentity(deps);

  const published = () => events(async (rows) => rows.filter().map(({ event }) => event));
  async function mails(): Promise<MailRequested[]> {
    return (await published()).filter((event) => event.type === "mail.requested");
  }

  const world = {
    ...deps,
    identity,
    database,
    published,
    mails,
    /** Advances the clock. */
    pass(parts: { hours?: number; minutes?: number; seconds?: number; ms?: number }) {
      const { hours = 0, minutes = 0, seconds = 0, ms = 0 } = parts;
      time += ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
    },
    /** The most recently mailed code. */
    async code(): Promise<string> {
      const mail = (await mails()).findLast(({ template }) => template === "login_code");
      return String(JSON.parse(cipher.decrypt(mail?.sealed ?? "")).code);
    },
    /** A code other than `right`. */
    wrong: (right: string) => (right === "000000" ? "000001" : "000000"),
    /** The token of a partial session. */
    async login({ email, password } = ALICE, ip = HOME): Promise<string> {
      const result = await identity.login({ email, password }, { ip, token: undefined });
      if (!result.ok) throw new Error(`Cannot sign in: ${result.code}`);
      return result.value.token;
    },
    /** Logs in fully: returns the token, and the device cookie for later log-ins. */
    async complete(account = ALICE, client: Visitor = { ip: HOME }) {
      const { email, password } = account;
      const started = await identity.login({ email, password }, { token: undefined, ...client });
      if (!started.ok) throw new Error(`Cannot sign in: ${started.code}`);
      const { token } = started.value;
      const result = await identity.verifyCode({ code: await world.code() }, { ...client, token });
      if (!result.ok) throw new Error(`Cannot verify the code: ${result.code}`);
      return result.value;
    },
    /** The token of a full session. */
    signIn: async (account = ALICE, ip = HOME): Promise<string> => (await world.complete(account, { ip })).token,
    /** Requests a password reset and runs the resulting events. */
    async forgot(email = ALICE.email, ip = HOME) {
      const result = await identity.forgotPassword({ email }, { ip });
      const asked = (await published()).findLast((event) => event.type === "identity.resetRequested");
      if (result.ok && asked) await identity.onResetRequested(asked);
      return result;
    },
    /** The token of the most recently mailed link. */
    async resetToken(): Promise<string> {
      const mail = (await mails()).findLast(({ template }) => template === "password_reset");
      return String(JSON.parse(cipher.decrypt(mail?.sealed ?? "")).token);
    },
    userOf: (email: string) => transaction(({ users }) => users.findByEmail(email)),
  };
  return world;
}
