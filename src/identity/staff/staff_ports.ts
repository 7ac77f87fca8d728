import type { Channel } from "../../shared/contacts.ts";
import type { Plan } from "../../shared/plans.ts";
import type { StaffAct, StaffObject } from "../../shared/staff.ts";
import type { AccountState } from "./staff_inputs.ts";

/** Where a page of a list ends: the next one begins after it. */
export type Cursor = { at: Date; id: string };

/** `text`: the beginning of an email, a last name or a full name; in lower case. */
export type AccountFilter = { text: string | undefined; state: AccountState | undefined };

/** Accounts, whatever is kept of them. */
export type StaffUserRepository<User> = {
  /** Newest first, those after `after`. */
  search(filter: AccountFilter, after: Cursor | undefined, limit: number): Promise<User[]>;
  setStaff(id: string, staff: boolean): Promise<void>;
  setLocked(id: string, lockedAt: Date | undefined): Promise<void>;
  /** Ids of all staff that can sign in; everybody else who would hold them waits until the transaction ends. */
  holdStaff(): Promise<string[]>;
};

/** One act of the staff as it is kept. Who it was and whom it concerned go with their accounts. */
export type StaffActRecord = {
  id: string;
  at: Date;
  by: "staff" | "command_line";
  actorId: string | undefined;
  act: StaffAct;
  objectKind: StaffObject["kind"];
  objectId: string | undefined;
  reason: string | undefined;
  detail: Record<string, string>;
};

export type StaffActFilter = {
  actorId: string | undefined;
  act: StaffAct | undefined;
  objectId: string | undefined;
  /** From this moment on, and before that one. */
  from: Date | undefined;
  until: Date | undefined;
};

/** Nothing of it is ever changed: acts are added, lose their persons with the persons' accounts, and end with their time. */
export type StaffActRepository = {
  /** One with a known id is the same one again. */
  add(act: StaffActRecord): Promise<void>;
  /** Newest first, those after `after`. */
  list(filter: StaffActFilter, after: Cursor | undefined, limit: number): Promise<StaffActRecord[]>;
  /** What was done stays; who did it or whom it concerned, and the reason of the latter, go. */
  forget(accountId: string): Promise<void>;
  removeBefore(before: Date): Promise<void>;
};

/** What the other modules know of one account: counts and states, instants in ISO 8601. */
export type AccountFacts = {
  counts: { addresses: number; alerts: number; pendingAlerts: number };
  plan: {
    name: Plan | "trial" | "off" | null;
    status: string;
    quantity: number | null;
    cap: number | null;
    trialEndsAt: string | null;
    periodEnd: string | null;
    granted: { plan: string; quantity: number; until: string } | null;
  };
  /** `value` shows enough to recognise it. */
  contacts: {
    id: string;
    channel: Channel;
    value: string;
    state: "unconfirmed" | "active" | "unsubscribed" | "broken";
    lastSentAt: string | null;
    failure: { at: string; detail: string | null } | null;
    waiting: number;
  }[];
  /** The newest, without what they say. */
  deliveries: {
    id: string;
    channel: Channel;
    value: string;
    kind: string;
    state: "queued" | "sending" | "accepted" | "retrying" | "refused" | "skipped" | "waiting";
    reason: string | null;
    at: string;
  }[];
};

/** Asks the other modules. */
export type AccountFactsGate = { of(accountId: string): Promise<AccountFacts> };
