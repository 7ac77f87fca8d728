import * as v from "valibot";
import type { ErrorCode } from "./result.ts";
import { text, typedMax } from "./text.ts";

/** Everything that staff can do and that is written down. `staff.act.*` of `staff.json` names each. */
export const STAFF_ACTS = [
  "account_viewed",
  "account_locked",
  "account_unlocked",
  "account_deleted",
  "plan_granted",
  "plan_grant_ended",
  "staff_granted",
  "staff_withdrawn",
  "message_resent",
  "ticket_answered",
  "ticket_changed",
  "incident_opened",
  "incident_changed",
  "incident_news_changed",
  "incident_resolved",
  "incident_deleted",
  "message_held",
  "message_released",
  "checks_started",
  "catalogue_read",
  "dataset_imported",
  "maintenance_started",
  "maintenance_ended",
  "backup_made",
  "backup_restored",
  "database_migrated",
] as const;
export type StaffAct = (typeof STAFF_ACTS)[number];

export const STAFF_OBJECTS = ["account", "message", "ticket", "incident", "installation"] as const;
export type StaffObject = { kind: (typeof STAFF_OBJECTS)[number]; id: string };

/** Who acts: an account marked as staff, or whoever may start the operator's command line. */
export type StaffActor = { by: "staff"; accountId: string } | { by: "command_line" };

const code = (name: ErrorCode): ErrorCode => name;

const REASON_MAX = 500;

/** Why something that hurts is done. */
export const reasonInput = v.pipe(
  text(typedMax(REASON_MAX), "REASON_REQUIRED", "TEXT_TOO_LONG"),
  v.trim(),
  v.minLength(3, code("REASON_REQUIRED")),
  v.maxLength(REASON_MAX, code("TEXT_TOO_LONG")),
);
export const becauseInput = v.strictObject({ reason: reasonInput });

/** What a module publishes as `staff.acted` in the transaction of the act itself. Never a secret, never a name. */
export type StaffActed = {
  /** Its own, new one: an event that arrives twice is written once. */
  id: string;
  /** ISO 8601. */
  at: string;
  actor: StaffActor;
  act: StaffAct;
  object: StaffObject;
  reason?: string;
  /** Small facts of the act: a plan, a state before and after. */
  detail?: Record<string, string>;
};
