import { installationOf } from "../../src/config/installation.ts";
import type {
  AccountPage,
  DeadLetters,
  StaffAccount,
  StaffActPage,
  StaffOverview,
  StaffSettings,
} from "../../web/api/staff_api.ts";
import { settings } from "../support/world.ts";
import { ALICE, ago, DAY, HOUR } from "./fake_alerts.ts";

const ID = "00000000-0000-4000-8000-00000000000a";
const LONG = "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example";
const row = { firstName: "Alice", lastName: "Archer", language: "en", createdAt: ago(90 * DAY) } as const;

export function overview(): StaffOverview {
  return {
    at: ago(0),
    version: "0.1.0",
    database: { kind: "embedded", bytes: 48_300_000 },
    backups: { state: "failed", lastAt: ago(31 * HOUR) },
    sources: [
      {
        source: "hibp",
        breaches: 900,
        leftOut: [],
        due: 12,
        retrying: 0,
        oldestDue: ago(2 * HOUR),
        syncedAt: ago(HOUR),
        pausedUntil: null,
        troubled: false,
        subscription: { name: "Pro 1", until: ago(-200 * DAY), perMinute: 500, kAnonymity: true, stealerLogs: true },
      },
      {
        source: "xposedornot",
        breaches: 900,
        leftOut: [],
        due: 0,
        retrying: 0,
        oldestDue: null,
        syncedAt: null,
        pausedUntil: ago(-HOUR),
        troubled: true,
        subscription: null,
      },
    ],
    channels: [
      { channel: "email", state: "well", pausedUntil: null, trouble: null },
      { channel: "telegram", state: "troubled", pausedUntil: null, trouble: "ECONNREFUSED" },
    ],
    process: {
      name: "web-1 · 4711",
      startedAt: ago(3 * DAY),
      sinceStart: { all: 184_020, refused: 1208, failed: 17 },
      lastHour: { all: 2911, refused: 14, failed: 2 },
    },
    budgets: [
      { source: "hibp", everyMs: 6316, taken: 12_844, room: 13_679, nextSlotAt: ago(1) },
      { source: "xposedornot", everyMs: 900_000, taken: 34, room: 96, nextSlotAt: ago(-12 * 60_000) },
      { source: "xposedornot-catalogue", everyMs: 900_000, taken: 24, room: 96, nextSlotAt: ago(1) },
      { source: "logos", everyMs: 1000, taken: 3, room: 86_400, nextSlotAt: ago(1) },
    ],
    limits: [
      { channel: "telegram", acceptedToday: 812, limit: { per: "second", most: 25 } },
      {
        channel: "pushover",
        acceptedToday: 1,
        limit: { per: "month", most: 10_000, used: 9420, resetsAt: ago(-9 * DAY) },
      },
    ],
    deliveries: { due: 1204, retrying: 0, oldestDueAt: ago(25 * 60_000), held: 3, dead: 2, inDoubt: 1 },
    events: { waiting: 7, oldest: ago(60_000) },
    jobs: [
      { name: "deliver", endedAt: ago(1000), failedAt: null },
      { name: "scan hibp", endedAt: ago(5000), failedAt: ago(3 * HOUR) },
    ],
  };
}

export function deadLetters(): DeadLetters {
  const letter: Omit<DeadLetters["items"][number], "id" | "channel" | "value" | "detail"> = {
    contactId: null,
    kind: "alert",
    state: "refused",
    reason: "refused",
    at: ago(3 * HOUR),
    nextTryAt: null,
    tries: 2,
    inDoubt: false,
    providerId: null,
    acknowledgedAt: null,
  };
  const said = "550 5.1.1 The email account that you tried to reach does not exist at mx.subdomain.example";
  const items = [
    { ...letter, id: ID, channel: "email" as const, value: "b•••@example.org", detail: said },
    { ...letter, id: `${ID}b`, channel: "telegram" as const, value: "al•••", detail: null },
  ];
  return { items, total: 2, pageSize: 50 };
}

export function accounts(): AccountPage {
  const plain = { ...row, id: ID, verified: true, lockedAt: null, staff: false };
  return {
    accounts: [
      { ...plain, email: ALICE, staff: true },
      { ...plain, id: `${ID}b`, email: LONG, lockedAt: ago(DAY), verified: false },
    ],
    next: { at: ago(90 * DAY), id: `${ID}b` },
  };
}

export function staffAccount(change: Partial<StaffAccount> = {}): StaffAccount {
  return {
    ...row,
    id: ID,
    email: "bob@example.org",
    verified: true,
    lockedAt: ago(DAY),
    staff: false,
    companyName: null,
    methods: ["passkey", "recovery_code"],
    providers: ["github"],
    wrongCodes: 0,
    sessions: [
      { browser: "Firefox", system: "Linux", ipPrefix: "203.0.113.0/24", createdAt: ago(DAY), lastSeenAt: ago(HOUR) },
    ],
    counts: { addresses: 4, alerts: 12, pendingAlerts: 2 },
    plan: {
      name: "professional",
      status: "active",
      quantity: 2,
      cap: 20,
      trialEndsAt: ago(9 * DAY),
      periodEnd: null,
      granted: { plan: "professional", quantity: 2, until: ago(-20 * DAY) },
    },
    contactCount: 3,
    contacts: [
      {
        id: "c1",
        channel: "email",
        value: "b•••@example.org",
        state: "broken",
        lastSentAt: ago(DAY),
        waiting: 1,
        failure: { at: ago(HOUR), detail: "550 no such user" },
      },
    ],
    deliveries: [
      {
        id: "d1",
        channel: "email",
        value: "b•••@example.org",
        kind: "alert",
        state: "refused",
        reason: "refused",
        at: ago(HOUR),
      },
    ],
    ...change,
  };
}

export function staffActs(): StaffActPage {
  const actor = { id: ID, name: ALICE };
  const object = { kind: "account", id: `${ID}b`, name: LONG } as const;
  return {
    acts: [
      { id: "1", at: ago(HOUR), by: "staff", actor, act: "account_locked", object, reason: "Sends spam", detail: {} },
      {
        id: "2",
        at: ago(DAY),
        by: "command_line",
        actor: null,
        act: "plan_granted",
        object,
        reason: "شكرا",
        detail: { plan: "professional", quantity: "2" },
      },
      {
        id: "3",
        at: ago(2 * DAY),
        by: "staff",
        actor: null,
        act: "account_deleted",
        reason: null,
        detail: {},
        object: { kind: "account", id: null, name: null },
      },
      {
        id: "4",
        at: ago(3 * DAY),
        by: "staff",
        actor,
        act: "message_resent",
        reason: null,
        detail: {},
        object: { kind: "message", id: ID, name: null },
      },
    ],
    next: null,
  };
}

export const STAFF_ID = ID;

/** Everything in one state or another. */
export function staffSettings(): StaffSettings {
  const { access, channels, sources, plans, data, limits } = installationOf(settings());
  const plain = { cause: null, testable: false };
  return {
    access: access.map((part) => ({ ...part, ...plain })),
    channels: channels.map((part) => {
      if (part.name === "email") return { ...part, state: "troubled", cause: "credentials", testable: true };
      return part.name === "telegram"
        ? { ...part, state: "paused", cause: "timeout", testable: true }
        : { ...part, ...plain };
    }),
    sources: sources.map((part) =>
      part.name === "xposedornot"
        ? { ...part, state: "troubled", mode: "domains", cause: "domain_key", testable: true }
        : { ...part, ...plain, testable: part.name === "hibp" },
    ),
    plans: plans.map((part) => ({ ...part, ...plain })),
    data: data.map((part) =>
      part.name === "backups"
        ? { ...part, state: "troubled", cause: "backup", testable: false }
        : { ...part, ...plain },
    ),
    lastBackupAt: ago(31 * HOUR),
    limits: limits.map((part) => ({ ...part, ...plain })),
  };
}
