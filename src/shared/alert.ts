/** Why somebody has marked an alert as handled, if they say so; each has its words in `locales/<language>/handling.json`. */
export const HANDLE_REASONS = [
  "steps_done",
  "password_changed",
  "account_closed",
  "already_known",
  "not_mine",
  "other",
] as const;
export type HandleReason = (typeof HANDLE_REASONS)[number];

/** Characters of the note beside it. */
export const LONGEST_NOTE = 500;
/** Alerts that can be handled or reopened at once. */
export const MOST_ALERTS_AT_ONCE = 200;

/** The longest search or address, and the longest key of a data category, by which the list is narrowed. */
export const LONGEST_WORDS = 320;
export const LONGEST_CATEGORY = 200;
export const LAST_PAGE = 999_999;

export const ALERT_STATES = ["all", "pending", "handled"] as const;
export type AlertStateFilter = (typeof ALERT_STATES)[number];
/** By when it was found, when the breach happened or became known, the service, the address, or how serious it is. */
export const ALERT_SORTS = ["found", "happened", "known", "service", "address", "seriousness"] as const;
export type AlertSort = (typeof ALERT_SORTS)[number];
export const DIRECTIONS = ["asc", "desc"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** How a list begins that nobody has turned round: names from A on, everything else with the newest or gravest. */
export function firstDirection(sort: AlertSort): Direction {
  return sort === "service" || sort === "address" ? "asc" : "desc";
}
