import type { TextId } from "../app/text_id.ts";

/** Titles by kind of error page; any other code shows `GENERIC`. */
export const TITLES = {
  USER_INACTIVE: "error_page.inactive",
  USER_INSUFFICIENT: "error_page.limit",
  ACCESS_DENIED: "error_page.denied",
  MONITORING_SUSPENDED: "error_page.suspended",
  INVITATION_PENDING: "error_page.pending",
  MONITORING_NOT_AUTHORISED: "error_page.unauthorised",
  SESSION: "error_page.session",
  UNREACHABLE: "error_page.unreachable",
  BUSY: "error_page.busy",
  GENERIC: "error_page.generic",
  "404": "error_page.missing",
} as const satisfies Record<string, TextId>;
export type Kind = keyof typeof TITLES;

/** Server error codes that show the page of another code. */
const SAME_AS: Record<string, Kind> = {
  // An id that does not exist, or belongs to another account, shows the page for a missing page.
  NOT_FOUND: "404",
  INVALID_INPUT: "404",
  UNAUTHENTICATED: "SESSION",
  SESSION_EXPIRED: "SESSION",
  RATE_LIMITED: "BUSY",
};

/** The kind of error page for the query parameter `err`. */
export function kindOf(err: string | null): Kind {
  if (err === null) return "GENERIC";
  const same = Object.hasOwn(SAME_AS, err) ? SAME_AS[err] : undefined;
  return same ?? (Object.hasOwn(TITLES, err) ? (err as Kind) : "GENERIC");
}
