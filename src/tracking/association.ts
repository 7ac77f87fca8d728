import type { ConsentScope } from "../shared/consent.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";

/** One account tracking one address. */
export type Association = {
  id: string;
  accountId: string;
  address: string;
  /** The account stated "I own this email address". */
  owner: boolean;
  /** `pending`: the owner has not consented yet, so nothing is monitored; `own` is proven, `granted` has consent. */
  consent: "own" | "pending" | "granted";
  /** What the account may see of it: nothing while pending. */
  scope: ConsentScope;
  /** Version of `scope`; 0 until the owner has answered. */
  scopeVersion: number;
  language: Language;
  contacts: ContactAddress[];
  paused: boolean;
  /** Not covered by the plan: it has ended, or its limit is exceeded. */
  suspended: boolean;
  /** Chosen to be kept when the plan does not cover all. */
  preferred: boolean;
  openAlerts: number;
  /** Version of `openAlerts`; 0 until the first check is done. */
  openVersion: number;
  createdAt: Date;
};

export const STATUSES = ["safe", "active", "breached", "inactive"] as const;
export type AssociationStatus = (typeof STATUSES)[number];

/** The order by urgency. */
export const ATTENTION: readonly AssociationStatus[] = ["breached", "active", "inactive", "safe"];

/** The one rule for the status of an association; never set by hand. */
export function statusOf({
  paused,
  suspended,
  openAlerts,
  openVersion,
}: Pick<Association, "paused" | "suspended" | "openAlerts" | "openVersion">): AssociationStatus {
  if (paused || suspended) return "inactive";
  if (openVersion === 0) return "active";
  return openAlerts > 0 ? "breached" : "safe";
}

/** Whether its address is checked. */
export function isWatched({
  consent,
  paused,
  suspended,
}: Pick<Association, "consent" | "paused" | "suspended">): boolean {
  return consent !== "pending" && !paused && !suspended;
}

/** The associations that an entitlement covers: none when inactive, else preferred ones and then the oldest, up to the limit. */
export function coveredBy(
  associations: readonly Pick<Association, "id" | "createdAt" | "preferred">[],
  { active, cap }: { active: boolean; cap: number | null },
): Set<string> {
  if (!active) return new Set();
  const inOrder = associations.toSorted(
    (a, b) =>
      Number(b.preferred) - Number(a.preferred) ||
      a.createdAt.getTime() - b.createdAt.getTime() ||
      (a.id < b.id ? -1 : 1),
  );
  return new Set(inOrder.slice(0, cap ?? inOrder.length).map(({ id }) => id));
}
