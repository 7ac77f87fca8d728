import type { ConsentScope } from "../../src/shared/consent.ts";
import type { AlertIds, Asked, State } from "./consent_world.ts";

export const ROLES = [
  "nobody",
  "partial session",
  "inviter",
  "other account",
  "watched person",
  "answer link",
  "manage link",
  "blocked inviter",
] as const;
export type Role = (typeof ROLES)[number];

/** One cell of the matrix: the caller's role, and the state of consent between Alice and Bob. */
export type Cell = { role: Role; state: State; scope: ConsentScope | undefined };
/** The ids and tokens used in a request: the caller's own, or ones the caller knows of. */
export type Named = Pick<Asked, "associationId" | "invitationId" | "token"> & { alerts: AlertIds };

/** An API call: its request, the expected status and code of each cell, and the content that it may show. */
export type Row = {
  send: (named: Named) => { path: string; body?: unknown };
  answer: (cell: Cell) => string;
  shows?: (cell: Cell, named: Named) => unknown;
};

export const OK = "200";
export const NOT_FOUND = "404 NOT_FOUND";
export const INVALID = "410 INVITATION_INVALID";
export const TRACKED = "409 ADDRESS_ALREADY_TRACKED";
export const INACTIVE = "403 USER_INACTIVE";
export const DENIED = "403 ACCESS_DENIED";
export const NOT_AUTHORISED = "403 MONITORING_NOT_AUTHORISED";
export const PENDING = "403 INVITATION_PENDING";

export const AGREED: State[] = ["accepted", "suspended", "paused"];
export const isAgreed = ({ state }: Cell) => AGREED.includes(state);
/** The association exists, monitored or pending. A blocked inviter's is always pending. */
export const isThere = (cell: Cell) =>
  cell.role === "blocked inviter" || (cell.role === "inviter" && isWaitingOrAgreed(cell));
export const isWaitingOrAgreed = (cell: Cell) => cell.state === "pending" || isAgreed(cell);
/** Alice and Bob registered before the end of the trial that suspends; the others after it. */
export const isOver = ({ role, state }: Cell) =>
  state === "suspended" && (role === "inviter" || role === "watched person");
export const sees = (cell: Cell) => cell.role === "inviter" && isAgreed(cell);
export const own = (cell: Cell) => (isThere(cell) ? OK : NOT_FOUND);

export const isSignedIn = (role: Role) =>
  role === "inviter" || role === "other account" || role === "watched person" || role === "blocked inviter";
export const signedIn =
  (answer: (cell: Cell) => string): Row["answer"] =>
  (cell) =>
    isSignedIn(cell.role) ? answer(cell) : "401 UNAUTHENTICATED";
export const everyone = signedIn(() => OK);

export function trackAnswer(cell: Cell): string {
  if (isOver(cell)) return INACTIVE;
  if (isThere(cell)) return TRACKED;
  return cell.role === "inviter" && cell.state === "declined" ? "409 INVITATION_DECLINED_RECENTLY" : "201";
}

export function monitoringAnswer(cell: Cell): string {
  if (cell.role === "blocked inviter") return PENDING;
  if (cell.role === "watched person") return isAgreed(cell) ? OK : NOT_AUTHORISED;
  if (cell.role !== "inviter") return NOT_AUTHORISED;
  if (cell.state === "suspended") return "403 MONITORING_SUSPENDED";
  return cell.state === "pending" ? PENDING : isAgreed(cell) ? OK : NOT_AUTHORISED;
}

/** Only the owner of the address, whose page has to be there; for all others it is an unknown page. */
export const tracesAnswer = (cell: Cell) => (cell.role === "watched person" ? monitoringAnswer(cell) : NOT_AUTHORISED);

/** The owner of the address, through the account's session, about pending requests or grants. */
export const asOwner = (isInTime: (cell: Cell) => boolean) =>
  signedIn((cell) => (cell.role !== "watched person" ? NOT_FOUND : isInTime(cell) ? OK : INVALID));
/** The same through a mailed link. */
export const byLink =
  (isInTime: (cell: Cell) => boolean): Row["answer"] =>
  (cell) =>
    cell.role.endsWith("link") && isInTime(cell) ? OK : INVALID;
export const isPending = ({ state }: Cell) => state === "pending";

/** The breach names that may be shown; null for an undisclosed breach. */
export function told({ scope }: Cell): (string | null)[] {
  const names = scope?.sensitive ? ["Adobe", "Affairs"] : ["Adobe"];
  return names.map((name) => (scope?.details ? name : null));
}
export const breachesOf = (names: (string | null)[]) =>
  names.map((name) => ({ breach: name === null ? null : { name } }));
export const alertAnswer = (name: keyof AlertIds) =>
  signedIn((cell) => (sees(cell) && (name === "Adobe" || cell.scope?.sensitive) ? OK : NOT_FOUND));
export const alertShown = (name: keyof AlertIds) => (cell: Cell) => ({ breach: cell.scope?.details ? { name } : null });
