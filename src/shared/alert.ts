/** The optional reason for marking an alert as handled. Their texts are in `locales/<language>/handling.json`. */
export const HANDLE_REASONS = [
  "steps_done",
  "password_changed",
  "account_closed",
  "already_known",
  "not_mine",
  "other",
] as const;
export type HandleReason = (typeof HANDLE_REASONS)[number];

/** When a person last changed the password of the breached account: before or after the breach, as far as they know. */
export const PASSWORD_CHANGES = ["before", "after", "unknown"] as const;
export type PasswordChange = (typeof PASSWORD_CHANGES)[number];

/** Length limit of the handling note, in characters. */
export const LONGEST_NOTE = 500;
/** How many alerts one request can handle or reopen. */
export const MOST_ALERTS_AT_ONCE = 200;

/** Length limit of the list's filters (search, address, data category), in characters. */
export const LONGEST_WORDS = 320;
export const LONGEST_CATEGORY = 200;
export const LAST_PAGE = 999_999;

export const ALERT_STATES = ["all", "pending", "handled"] as const;
export type AlertStateFilter = (typeof ALERT_STATES)[number];
/** When it was found, when the breach happened or became known, by service, by address, or by severity. */
export const ALERT_SORTS = ["found", "happened", "known", "service", "address", "seriousness"] as const;
export type AlertSort = (typeof ALERT_SORTS)[number];
export const DIRECTIONS = ["asc", "desc"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The default direction of a sort order: names from A to Z, everything else with the newest or most severe first. */
export function firstDirection(sort: AlertSort): Direction {
  return sort === "service" || sort === "address" ? "asc" : "desc";
}
