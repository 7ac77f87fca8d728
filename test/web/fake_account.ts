import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import { listsOf } from "../../src/shared/contacts.ts";
import type { ActivityEvent, Factors, Passkey, Profile, SessionEntry } from "../../web/api/api.ts";
import type { ApiToken } from "../../web/api/api_tokens_api.ts";

/** A response of the fake server. */
export type Given = { status: number; body: unknown };

/** The account behind the fake server's profile. */
export type Account = {
  profile: Profile;
  factors: Factors;
  sessions: SessionEntry[];
  tokens: ApiToken[];
  events: ActivityEvent[];
  links: { provider: string; label: string; email: string; linkedAt: string; canConfirm: boolean }[];
  available: string[];
  /** The monthly summary is enabled. */
  every: "month" | "year" | null;
  /** The password was typed recently. */
  confirmed: boolean;
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const ALICE = "alice.archer@example.com";
export const TOKEN = "bb_gZekg7pCHgOZJoCuVeReaUUsHMO4rKkFCuDcPJMFEGM0xHA6m";
export const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const CODES = ["7kq2m-x9vd4", "h3n8p-2wz6t", "c5r9y-k4m7b", "v8d2q-6xj3n", "t6w4z-9ph5s", "m2b7k-r3c8y"];

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

const HERE = { browser: "Firefox", system: "Linux", ipPrefix: "203.0.113.0/24" };
const AWAY = { browser: "Chrome", system: "Android", ipPrefix: "2001:db8:1200::/48" };

function session(number: number, more: Partial<SessionEntry>): SessionEntry {
  const id = `00000000-0000-4000-8000-00000000000${number}`;
  return { id, current: false, ...AWAY, createdAt: ago(number * DAY), lastSeenAt: ago(number * HOUR), ...more };
}

function happened(event: ActivityEvent["event"], days: number, more: Partial<ActivityEvent> = {}): ActivityEvent {
  return { id: `${event}-${days}`, at: ago(days * DAY), event, ...AWAY, current: false, detail: {}, ...more };
}

export function passkey(id: string, name: string, lastUsedAt: string | null = null): Passkey {
  return { id, name, createdAt: ago(40 * DAY), lastUsedAt };
}

function apiToken(id: string, change: Partial<ApiToken>): ApiToken {
  const times = { createdAt: ago(20 * DAY), expiresAt: ago(-70 * DAY), lastUsedAt: null, lastIpPrefix: null };
  return { id, name: id, scopes: ["alerts:read"], ...times, expired: false, ...change };
}

export function account(change: Partial<Account> = {}): Account {
  return {
    profile: {
      firstName: "Alice",
      lastName: "Archer",
      email: ALICE,
      language: "en",
      companyName: null,
      defaultContacts: listsOf([]),
      createdAt: "2025-02-03T10:00:00.000Z",
      pendingEmail: null,
    },
    factors: { authenticator: null, passkeys: [], recoveryCodes: 0, mailboxLeaked: false },
    sessions: [
      session(1, { ...HERE, current: true, lastSeenAt: ago(0) }),
      session(2, {}),
      session(3, { browser: null, system: null }),
    ],
    events: [
      happened("signed_in", 1, { ...HERE, current: true, detail: { by: "email" } }),
      happened("sign_in_started", 1, { ...HERE, detail: { by: "password" } }),
      happened("password_wrong", 2),
      happened("passkey_removed", 3, { detail: { name: "Old phone" } }),
      happened("provider_linked", 4, { detail: { provider: "github" } }),
      happened("session_ended", 5, { browser: null, system: null, ipPrefix: null }),
      happened("registered", 6),
    ],
    tokens: [],
    links: [],
    available: [],
    every: null,
    confirmed: true,
    ...change,
  };
}

/** An account with one of everything. */
export function fullAccount(change: Partial<Account> = {}): Account {
  const { profile } = account();
  return account({
    profile: {
      ...profile,
      companyName: "A Company With a Name of Some Length GmbH",
      email: "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example",
      defaultContacts: {
        ...listsOf([]),
        email: ["security-operations@long-company-name.example", "bob@example.org"],
        telegram: ["alice_archer"],
      },
      pendingEmail: { email: "alice.new@example.org", expiresAt: ago(-20 * HOUR) },
    },
    factors: {
      authenticator: { since: ago(50 * DAY) },
      passkeys: [passkey("pk1", "Phone", ago(2 * DAY)), passkey("pk2", "The blue security key from the office drawer")],
      recoveryCodes: 2,
      mailboxLeaked: true,
    },
    tokens: [
      apiToken("t1", { name: "Home server", lastUsedAt: ago(2 * HOUR), lastIpPrefix: "203.0.113.0/24" }),
      apiToken("t2", { name: "A token with a name that nobody would want to type twice", scopes: [...API_SCOPES] }),
      apiToken("t3", { name: "Old backup", expiresAt: ago(3 * DAY), expired: true }),
      apiToken("t4", { name: "Endless", expiresAt: null }),
    ],
    links: [
      {
        provider: "github",
        label: "GitHub",
        email: "alice@users.example.org",
        linkedAt: ago(9 * DAY),
        canConfirm: false,
      },
    ],
    available: ["google", "github"],
    ...change,
  });
}

/** Calls that require a recently typed password. */
const CONFIRMED = [
  /^PUT \/api\/profile\/password$/,
  /^POST \/api\/profile\/email$/,
  /^POST \/api\/tokens$/,
  /^POST \/api\/portal$/,
  /^POST \/api\/profile\/export$/,
  /^(POST|DELETE) \/api\/factors\//,
  /^(DELETE \/api\/providers\/\w+|POST \/api\/providers\/\w+\/start)$/,
];
const BELONGINGS = {
  addresses: 4,
  alerts: 6,
  contacts: 2,
  subscription: { plan: "trial", active: true, bought: false },
  watchedBy: { items: [{ name: "Erin Example", email: "e…@example.org" }], total: 1 },
};

/** The response to a call about the account, which may change it; undefined for all others. */
export function accountAnswer(one: Account, call: string, sent?: unknown): Given | undefined {
  if (!one.confirmed && CONFIRMED.some((pattern) => pattern.test(call)))
    return { status: 403, body: { code: "REAUTHENTICATION_REQUIRED" } };
  const id = call.split("/").at(-1) ?? "";
  const isFirst = one.factors.authenticator === null && one.factors.passkeys.length === 0;
  const fixed: Record<string, () => unknown> = {
    "POST /api/confirm-password": () => Object.assign(one, { confirmed: true }) && {},
    "GET /api/profile": () => one.profile,
    "PUT /api/profile": () => one.profile,
    "GET /api/profile/summary": () => ({ every: one.every }),
    "PUT /api/profile/summary": () => {
      one.every = (sent as Pick<Account, "every">).every;
      return { every: one.every };
    },
    "PUT /api/profile/password": () => ({}),
    "POST /api/profile/email": () => ({ email: (sent as { email: string }).email }),
    "DELETE /api/profile/email": () => Object.assign(one.profile, { pendingEmail: null }) && {},
    "GET /api/profile/deletion": () => BELONGINGS,
    "POST /api/profile/delete": () => ({}),
    "POST /api/profile/export": () => ({ product: "Breachbell", createdAt: ago(0), account: one.profile }),
    "GET /api/factors": () => one.factors,
    "POST /api/factors/authenticator": () => ({
      secret: SECRET,
      uri: `otpauth://totp/Breachbell:${encodeURIComponent(ALICE)}?secret=${SECRET}&issuer=Breachbell`,
    }),
    "POST /api/factors/authenticator/confirm": () => {
      one.factors = { ...one.factors, authenticator: { since: ago(0) }, recoveryCodes: CODES.length };
      return { recoveryCodes: isFirst ? CODES : null };
    },
    "DELETE /api/factors/authenticator": () => Object.assign(one.factors, { authenticator: null }) && {},
    "POST /api/factors/passkeys": () => ({ recoveryCodes: isFirst ? CODES : null }),
    "POST /api/factors/recovery-codes": () => ({ recoveryCodes: CODES }),
    "GET /api/sessions": () => ({ sessions: one.sessions }),
    "POST /api/sessions/end-others": () => {
      const ended = one.sessions.filter(({ current }) => !current).length;
      one.sessions = one.sessions.filter(({ current }) => current);
      return { ended };
    },
    "GET /api/tokens": () => ({ items: one.tokens, max: 20 }),
    "POST /api/tokens": () => {
      const { name, scopes } = sent as Pick<ApiToken, "name" | "scopes">;
      const made = apiToken(`t${one.tokens.length + 1}`, { name, scopes, createdAt: ago(0) });
      one.tokens = [made, ...one.tokens];
      return { ...made, token: TOKEN };
    },
    "POST /api/tokens/revoke-all": () => {
      const revoked = one.tokens.length;
      one.tokens = [];
      return { revoked };
    },
    [`DELETE /api/tokens/${id}`]: () => {
      one.tokens = one.tokens.filter((other) => other.id !== id);
      return {};
    },
    "GET /api/activity": () => ({ events: one.events }),
    "GET /api/providers": () => ({ links: one.links, available: one.available }),
    [`DELETE /api/sessions/${id}`]: () => {
      one.sessions = one.sessions.filter((other) => other.id !== id);
      return {};
    },
    [`PUT /api/factors/passkeys/${id}`]: () => ({}),
    [`DELETE /api/factors/passkeys/${id}`]: () => {
      one.factors = { ...one.factors, passkeys: one.factors.passkeys.filter((other) => other.id !== id) };
      return {};
    },
    [`DELETE /api/providers/${id}`]: () => {
      one.links = one.links.filter(({ provider }) => provider !== id);
      return {};
    },
  };
  const body = fixed[call]?.();
  return body === undefined ? undefined : { status: 200, body };
}
