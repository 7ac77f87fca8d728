/** The kinds of error page; anything else is `GENERIC`. */
export const KINDS = [
  "USER_INACTIVE",
  "USER_INSUFFICIENT",
  "ACCESS_DENIED",
  "MONITORING_SUSPENDED",
  "INVITATION_PENDING",
  "MONITORING_NOT_AUTHORISED",
  "GENERIC",
  "404",
] as const;
export type Kind = (typeof KINDS)[number];

/** The page for the query's `err`; what was not found by its owner's id reads as a page that is not there. */
export function kindOf(err: string | null): Kind {
  if (err === "NOT_FOUND") return "404";
  return KINDS.find((kind) => kind === err) ?? "GENERIC";
}
