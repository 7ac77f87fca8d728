import type { Channel } from "../../shared/contacts.ts";
import type { Plan } from "../../shared/plans.ts";
import type { StaffAct, StaffObject } from "../../shared/staff.ts";
import type { AccountState } from "./staff_inputs.ts";

/** Cursor of a list: the next page begins after it. */
export type Cursor = { at: Date; id: string };

/** `text`: a prefix of an email, a last name or a full name; in lower case. */
export type AccountFilter = { text: string | undefined; state: AccountState | undefined };

/** Accounts, independent of what is stored about them. */
export type StaffUserRepository<User> = {
  /** Newest first, those after `after`. */
  search(filter: AccountFilter, after: Cursor | undefined, limit: number): Promise<User[]>;
  /** `by`: the key of the provider whose groups say so; undefined when it was done by hand. */
  setStaff(id: string, staff: boolean, by?: string): Promise<void>;
  setLocked(id: string, lockedAt: Date | undefined): Promise<void>;
  /** Locks and returns the ids of all staff who can sign in, until the transaction ends. */
  holdStaff(): Promise<string[]>;
};

/** One audited action of the staff. References to persons are removed with their accounts. */
export type StaffActRecord = {
  id: string;
  at: Date;
  by: "staff" | "command_line" | "provider";
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
  /** `from` is inclusive, `to` exclusive. */
  from: Date | undefined;
  until: Date | undefined;
};

/** Append-only: entries lose their references to persons with the accounts, and expire. */
export type StaffActRepository = {
  /** Idempotent by id. */
  add(act: StaffActRecord): Promise<void>;
  /** Newest first, those after `after`. */
  list(filter: StaffActFilter, after: Cursor | undefined, limit: number): Promise<StaffActRecord[]>;
  /** Removes the actor or the person concerned, and in the latter case the reason. */
  forget(accountId: string): Promise<void>;
  removeBefore(before: Date): Promise<void>;
};

/** Other modules' facts about one account: counts and states, instants in ISO 8601. */
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
  contactCount: number;
  /** Those that need attention first, and of the others the oldest. `value` is masked, but recognisable. */
  contacts: {
    id: string;
    channel: Channel;
    value: string;
    state: "unconfirmed" | "active" | "unsubscribed" | "broken";
    lastSentAt: string | null;
    failure: { at: string; detail: string | null } | null;
    waiting: number;
  }[];
  /** The newest ones, without their content. */
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

/** Collects the other modules' facts. */
export type AccountFactsGate = { of(accountId: string): Promise<AccountFacts> };
