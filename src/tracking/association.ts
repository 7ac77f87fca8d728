import type { ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";

/** One account watching one address. */
export type Association = {
  id: string;
  accountId: string;
  address: string;
  /** "I own this email address", as the account said. */
  owner: boolean;
  language: Language;
  contacts: ContactAddress[];
  paused: boolean;
  /** Not covered now: the plan is over, or the address lies beyond its cap. */
  suspended: boolean;
  openAlerts: number;
  /** Version of `openAlerts`; 0 until the first check is done. */
  openVersion: number;
  createdAt: Date;
};

export const STATUSES = ["safe", "active", "breached", "inactive"] as const;
export type AssociationStatus = (typeof STATUSES)[number];

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

/** Which associations an entitlement covers: none when inactive, else the oldest up to the cap. */
export function coveredBy(
  associations: readonly Pick<Association, "id" | "createdAt">[],
  { active, cap }: { active: boolean; cap: number | null },
): Set<string> {
  if (!active) return new Set();
  const oldestFirst = associations.toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  return new Set(oldestFirst.slice(0, cap ?? oldestFirst.length).map(({ id }) => id));
}
