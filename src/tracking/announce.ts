import type { SuspensionReason } from "../events/catalogue.ts";
import type { Alias } from "./alias_ports.ts";
import { type Association, coveredBy, isWatched } from "./association.ts";
import type { TrackingStore } from "./ports.ts";

export type Entitlement = { active: boolean; cap: number | null };

/** What an event says about an alias. */
export function factsOf({ id: aliasId, associationId, accountId, address }: Alias) {
  return { associationId, accountId, aliasId, address };
}

/** An address that its account has proven is no one else's alias any more. */
export async function endForeignAliases(
  { aliases, events }: Pick<TrackingStore, "aliases" | "events">,
  { address: own, accountId: owner }: Association,
): Promise<void> {
  for (const alias of await aliases.removeOfOthers(own, owner))
    if (alias.state === "active") await events.publish({ type: "tracking.aliasStopped", ...factsOf(alias) });
}

/** Monitoring starts, unless the plan or a pause prevents it. */
export async function announceStart(store: TrackingStore, association: Association): Promise<void> {
  const { events } = store;
  const { id: associationId, accountId, address, language, contacts, scope, suspended } = association;
  if (association.consent === "own") await endForeignAliases(store, association);
  await events.publish({ type: "tracking.contactsChanged", associationId, accountId, language, contacts });
  await events.publish({ type: "tracking.monitoringStarted", associationId, accountId, address, scope });
  if (isWatched(association)) return;
  const reason = suspended ? "plan" : "paused";
  await events.publish({ type: "tracking.monitoringSuspended", associationId, accountId, address, reason });
}

/** Stores the association's settings, and announces its contacts unless consent is still pending. */
export async function saveSettings(
  { associations, events }: Pick<TrackingStore, "associations" | "events">,
  { id, accountId, language, contacts, paused, consent }: Association,
): Promise<void> {
  await associations.saveSettings(accountId, id, { language, contacts, paused });
  if (consent === "pending") return;
  await events.publish({ type: "tracking.contactsChanged", associationId: id, accountId, language, contacts });
}

/** Monitoring ends, its aliases go with it, and a pending consent request is dropped. */
export async function announceEnd(
  { aliases, events }: Pick<TrackingStore, "aliases" | "events">,
  { id, accountId, address, consent }: Association,
  repeated = false,
) {
  const about = { associationId: id, accountId, address };
  await aliases.removeByAssociation(id);
  if (consent !== "own")
    await events.publish({ type: "tracking.consentDropped", ...about, ...(repeated && { repeated }) });
  if (consent !== "pending") await events.publish({ type: "tracking.monitoringStopped", ...about });
}

/** Publishes the event when a pause or the plan turned monitoring on or off. */
export async function announceChange(
  { events }: TrackingStore,
  {
    before,
    after,
    reason,
    repeated = false,
  }: { before: Association; after: Association; reason: SuspensionReason; repeated?: boolean },
): Promise<void> {
  if (isWatched(before) === isWatched(after)) return;
  const type = isWatched(after) ? "tracking.monitoringResumed" : "tracking.monitoringSuspended";
  const { id: associationId, accountId, address } = after;
  await events.publish({ type, associationId, accountId, address, reason, ...(repeated && { repeated }) });
}

/** Suspends what the plan does not cover and resumes what it covers. The account must be locked. */
export async function applyPlan(
  store: TrackingStore,
  accountId: string,
  plan: Entitlement,
  repeated = false,
): Promise<void> {
  const all = await store.associations.listByAccount(accountId);
  const covered = coveredBy(all, plan);
  for (const before of all) {
    const suspended = !covered.has(before.id);
    if (before.suspended === suspended) continue;
    await store.associations.setSuspended(before.id, suspended);
    await announceChange(store, { before, after: { ...before, suspended }, reason: "plan", repeated });
  }
}
