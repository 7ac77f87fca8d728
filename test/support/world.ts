import type { Adapters } from "../../src/adapter_types.ts";
import { type SandboxPayments, sandboxPayments } from "../../src/billing/adapters/sandbox/sandbox.ts";
import { sandboxMemory } from "../../src/billing/adapters/sandbox/sandbox_state.ts";
import type { PaymentGateway } from "../../src/billing/mod.ts";
import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { type Composition, compose } from "../../src/compose.ts";
import type { Outbox } from "../../src/events/outbox.ts";
import { hotpCodes } from "../../src/identity/adapters/secrets/authenticator_codes.ts";
import { webauthnPasskeys } from "../../src/identity/adapters/secrets/passkeys_webauthn.ts";
import { randomRecoveryCode } from "../../src/identity/adapters/secrets/random_code.ts";
import type { IdentityProvider } from "../../src/identity/sign_in/provider_ports.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import type { NotificationStore } from "../../src/notifications/ports.ts";
import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { unwatched } from "../../src/telemetry/health.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { type MemoryFeed, memoryFeed } from "../memory/breaches/feed.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { type MemoryTables, memoryDatabase } from "../memory/database.ts";
import { type MemoryDomainProofs, memoryDomainProofs } from "../memory/domains/proofs.ts";
import { memoryDomains } from "../memory/domains/store.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { memoryIdentity, plainPasswords } from "../memory/identity/store.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { type MemorySender, memoryNotifications, memorySender } from "../memory/notifications/store.ts";
import { memoryOperations } from "../memory/operations/store.ts";
import { memorySupport } from "../memory/support/store.ts";
import { type MemoryAliasDirectory, memoryAliasDirectory } from "../memory/tracking/alias_directory.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { type TestClock, testClock } from "./clock.ts";

const keys = keysOf("a secret of the tests, long enough to be one");
const translate = intlTranslate();
const PUBLIC_URL = "https://breachbell.example";

/** What survives a process: the database, and external systems. */
export type Ground = {
  transactionOf: <Store>(bind: (tables: MemoryTables) => Store) => Transaction<Store>;
  snapshot: () => () => void;
  outbox: Outbox;
  feed: MemoryFeed;
  sender: MemorySender;
  clock: TestClock;
  proofs: MemoryDomainProofs;
  providers: IdentityProvider[];
  /** What an alias service answers. */
  aliasDirectory: MemoryAliasDirectory;
  sandbox: SandboxPayments;
  errors: unknown[];
  /** What was told to the operator. */
  notes: Record<string, unknown>[];
};

export function memoryGround(): Ground {
  const database = memoryDatabase();
  const clock = testClock();
  const memory = sandboxMemory();
  return {
    transactionOf: database.transactionOf,
    snapshot: database.snapshot,
    outbox: memoryOutbox(database),
    feed: memoryFeed(),
    sender: memorySender(),
    clock,
    proofs: memoryDomainProofs(),
    providers: [],
    aliasDirectory: memoryAliasDirectory(),
    sandbox: sandboxPayments({ memory, publicUrl: PUBLIC_URL, mac: keys.mac, newToken, now: clock.now }),
    errors: [],
    notes: [],
  };
}

/** Wraps every step that leaves the process, so that a test can crash it there. */
export type Step = <T>(work: () => Promise<T>) => Promise<T>;

/** Turns each call of the payment provider into a step. */
function steppedPayments(payments: PaymentGateway, step: Step): PaymentGateway {
  return new Proxy(payments, {
    get(target, name: keyof PaymentGateway) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => step(() => method(...args));
    },
  });
}

/** In-memory adapters. `step` wraps each transaction, each source query and each send. */
export function adaptersOn(ground: Ground, step: Step = (work) => work()): Adapters {
  const { clock, feed, sender, errors, notes } = ground;
  const stepped =
    <Store>(transaction: Transaction<Store>): Transaction<Store> =>
    (work) =>
      step(() => transaction(work));
  const { outbox } = ground;
  return {
    transactions: {
      identity: stepped(ground.transactionOf(memoryIdentity)),
      tracking: stepped(ground.transactionOf(memoryTracking)),
      invitations: stepped(ground.transactionOf(memoryInvitations)),
      breaches: stepped(ground.transactionOf<BreachStore>(memoryBreaches)),
      billing: stepped(ground.transactionOf(memoryBilling)),
      notifications: stepped(ground.transactionOf<NotificationStore>(memoryNotifications)),
      support: stepped(ground.transactionOf(memorySupport)),
      operations: stepped(ground.transactionOf(memoryOperations)),
      domains: stepped(ground.transactionOf(memoryDomains)),
    },
    outbox: {
      claim: (limit, now, leaseMs, wanted) => step(() => outbox.claim(limit, now, leaseMs, wanted)),
      waits: (orderKey) => step(() => outbox.waits(orderKey)),
      markDone: (id, leaseToken, subscriber) => step(() => outbox.markDone(id, leaseToken, subscriber)),
      remove: (list) => step(() => outbox.remove(list)),
      retryAt: (id, leaseToken, runAt, error) => step(() => outbox.retryAt(id, leaseToken, runAt, error)),
      backlog: () => outbox.backlog(),
      hasOlderThan: (at) => outbox.hasOlderThan(at),
    },
    backups: {
      erasures: { note: async () => {} },
      runDue: async () => {},
      status: async () => ({ scheduled: false, directory: "", machine: "test" }),
    },
    gateways: {
      feeds: [
        {
          ...feed,
          latest: () => step(() => feed.latest()),
          catalogue: () => step(() => feed.catalogue()),
          lookUp: (address) => step(() => feed.lookUp(address)),
        },
      ],
      imports: undefined,
      descriptions: sanitizedDescriptions(),
      logos: undefined,
      directories: bundledDirectories(),
      letterDirectories: bundledLetterDirectories(),
      changePasswordPages: undefined,
      aliasDirectory: ground.aliasDirectory,
      telegramBot: undefined,
      senders: { email: { channel: "email", send: (message) => step(() => sender.send(message)) } },
      passwords: plainPasswords(),
      commonPasswords: { has: () => false },
      breachedPasswords: undefined,
      providers: ground.providers,
      oneTimePasswords: hotpCodes(),
      passkeyCeremonies: webauthnPasskeys("https://breachbell.example"),
      payments: steppedPayments(ground.sandbox, step),
      translate,
      sinks: [],
      domainProofs: ground.proofs,
    },
    health: unwatched,
    system: {
      ...keys,
      now: clock.now,
      newId: () => Bun.randomUUIDv7(),
      newToken,
      newCode: () => "123456",
      newRecoveryCode: randomRecoveryCode,
      hashToken,
      random: () => 0.5,
      sleep: async (ms) => clock.pass(ms),
      report: (error) => void errors.push(error),
      note: (says, context) => void notes.push({ says, ...context }),
      ping: async () => {},
      database: async () => ({ kind: "embedded", bytes: 12_345_678 }),
      budgets: async () => [],
      processName: "test",
    },
    exampleAddresses: [],
    webDirectory: undefined,
    sandbox: ground.sandbox,
    mailboxDirectory: undefined,
    standIns: undefined,
  };
}

export const PUSH_TOKENS = ["first-push-token-0123456789abcdef", "other-push-token-0123456789abcdef"];

/** The product's settings in tests. */
export function settings(): Parameters<typeof compose>[1] {
  return {
    publicUrl: "https://breachbell.example",
    billing: "sandbox",
    domainLimits: { domains: 1, addresses: 50 },
    sessionProfile: "default",
    providersOnly: false,
    registration: { mode: "open", domains: [] },
    trustProxy: [],
    pushTokens: PUSH_TOKENS,
    channels: { embedded: [], webhooks: false, webPush: false, chats: [], allowPrivate: false },
    mail: {
      kind: "smtp",
      url: "smtp://127.0.0.1:25",
      from: "a@breachbell.example",
      perSecond: undefined,
      connections: 5,
      bounces: undefined,
    },
    operator: { name: "Breachbell", canton: "Zürich", supportEmail: "support@breachbell.example" },
    statusPageUrl: undefined,
    messagesKeptDays: undefined,
    sources: [
      { kind: "hibp", baseUrl: "https://haveibeenpwned.com/api/v3", apiKey: "0".repeat(32), pollEveryMs: 600_000 },
    ],
    providers: [],
    pwnedPasswordsUrl: undefined,
    logosUrl: undefined,
    servicePages: false,
    database: { kind: "embedded" },
    backup: { directory: "data/backups", keep: { days: 7, weeks: 4 }, atMinute: 195, recipient: undefined },
  };
}

/** The whole product on these adapters. */
export function composed(
  adapters: Adapters,
  more: {
    billing?: "off" | "sandbox" | "stripe";
    statusPageUrl?: string;
    messagesKeptDays?: number;
    providersOnly?: boolean;
  } = {},
): Composition {
  return compose(adapters, { ...settings(), ...more });
}

export const worldOn = (ground: Ground, step?: Step): Composition => composed(adaptersOn(ground, step));

/** Runs events, checks and deliveries until nothing is left to do. */
export async function settle({
  dispatcher,
  billing,
  breaches,
  invitations,
  tracking,
  notifications,
}: Composition): Promise<void> {
  for (;;) {
    const events = await dispatcher.drain();
    const { checked } = await breaches.scanDue();
    const worsened = await breaches.tellChanges();
    const mailed = (await invitations.mailDue()) + (await tracking.mailAliasesDue());
    const expired = await invitations.expireDue();
    const delivered = await notifications.deliverDue();
    const left = await billing.sayFarewells();
    if (events + checked + worsened + mailed + expired + delivered + left === 0) return;
  }
}

/** An HTTP client for the world, with its cookies. */
export function callerOf(world: Composition) {
  let cookie = "";
  return async (method: string, path: string, body?: unknown) => {
    const headers = {
      "Sec-Fetch-Site": "same-origin",
      Cookie: cookie,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    const answer = await world.app.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? cookie;
    return answer;
  };
}

/** Registers an account with a verified address over HTTP; returns a client with its cookies. */
export async function signedUp(world: Composition, email: string) {
  const call = callerOf(world);
  const password = "Tranquil-Harbour-42";
  const names = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true };
  await call("POST", "/api/register", { ...names, email, password, confirmPassword: password });
  await settle(world);
  await call("POST", "/api/login", { email, password });
  const verified = await call("POST", "/api/verify-code", { code: "123456" });
  if (!verified.ok) throw new Error(`Cannot sign in: ${await verified.text()}`);
  return call;
}
