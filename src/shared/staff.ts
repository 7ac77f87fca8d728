import * as v from "valibot";
import { code } from "./result.ts";
import { text, trim, typedMax } from "./text.ts";

/** Every audited action of the staff. `staff.act.*` of `staff.json` has a name for each. */
export const STAFF_ACTS = [
  "account_invited",
  "account_viewed",
  "account_locked",
  "account_unlocked",
  "account_deleted",
  "factors_reset",
  "reset_link_made",
  "providers_unlinked",
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
  "connection_tested",
  "maintenance_started",
  "maintenance_ended",
  "backup_made",
  "backup_restored",
  "database_migrated",
] as const;
export type StaffAct = (typeof STAFF_ACTS)[number];

export const STAFF_OBJECTS = ["account", "message", "ticket", "incident", "installation"] as const;
export type StaffObject = { kind: (typeof STAFF_OBJECTS)[number]; id: string };

/** The actor: an account marked as staff, the operator's command line, or a sign-in provider by a person's groups. */
export type StaffActor = { by: "staff"; accountId: string } | { by: "command_line" | "provider" };

const REASON_MAX = 500;

/** The mandatory reason for a destructive action. */
export const reasonInput = v.pipe(
  text(typedMax(REASON_MAX), "REASON_REQUIRED", "TEXT_TOO_LONG"),
  trim,
  v.minLength(3, code("REASON_REQUIRED")),
  v.maxLength(REASON_MAX, code("TEXT_TOO_LONG")),
);
export const becauseInput = v.strictObject({ reason: reasonInput });

/** What a module publishes as `staff.acted` in the transaction of the action itself. Contains no secrets and no names. */
export type StaffActed = {
  /** Idempotency key: an event that is delivered twice is recorded once. */
  id: string;
  /** ISO 8601. */
  at: string;
  actor: StaffActor;
  act: StaffAct;
  object: StaffObject;
  reason?: string;
  /** Facts of the action: a plan, a state before and after. */
  detail?: Record<string, string>;
};
