import type { Localized } from "../shared/localized.ts";
import { type Shown, shown } from "../shared/shown.ts";
import type { IncidentState } from "./inputs.ts";
import type { Incident, IncidentUpdate, ToldIncident } from "./ports.ts";

const DAY_MS = 24 * 3_600_000;
/** How long before its start a maintenance is announced on every page. */
const ANNOUNCED_MS = DAY_MS;

/** The state shown to users; that of a maintenance follows from the clock. */
export type ShownState = IncidentState | "planned" | "running";
/** Instants in ISO 8601. */
export type ShownIncident = Shown<Pick<Incident, "id" | "kind" | "title" | "parts" | "startsAt">> & {
  state: ShownState;
  /** The end; for an unfinished maintenance the planned one. */
  endsAt: string | null;
  updates: { id: string; at: string; state: ShownState; text: Localized }[];
};
/** The notice on every page. */
export type Announcement = Pick<ShownIncident, "id" | "kind" | "title" | "state" | "startsAt" | "endsAt">;

/** When it ended or will end; undefined while unknown. */
export function endOf({ kind, resolvedAt, endsAt }: Incident): Date | undefined {
  return resolvedAt ?? (kind === "maintenance" ? endsAt : undefined);
}

export function stateAt(incident: Incident, now: Date): ShownState {
  const { kind, state, resolvedAt, startsAt } = incident;
  const end = endOf(incident);
  if (resolvedAt !== undefined || (end !== undefined && end <= now)) return "resolved";
  if (kind === "incident") return state;
  return startsAt > now ? "planned" : "running";
}

/** The incident in the state of its latest update. */
export function standing(incident: Incident, { state, at }: Pick<IncidentUpdate, "state" | "at">): Incident {
  return { ...incident, state, resolvedAt: state === "resolved" ? at : undefined };
}

/** Whether it is shown on every page: while it is going on, and a maintenance from a day before. */
export function isAnnounced(incident: Incident, now: Date): boolean {
  const state = stateAt(incident, now);
  if (state === "resolved") return false;
  return state !== "planned" || incident.startsAt.getTime() - now.getTime() <= ANNOUNCED_MS;
}

export function shownAt(incident: ToldIncident, now: Date): ShownIncident {
  const { id, kind, title, parts, startsAt, updates } = incident;
  return {
    ...shown({ id, kind, title, parts, state: stateAt(incident, now), startsAt, endsAt: endOf(incident) }),
    updates: updates.map(({ id: updateId, at, state, text }) =>
      shown({ id: updateId, at, state: stateAt(standing(incident, { state, at }), at), text }),
    ),
  };
}

/** Current ones first, then planned ones; within each group the latest start first. */
export function inOrder(incidents: ShownIncident[]): ShownIncident[] {
  const rank = ({ state }: ShownIncident) => (state === "resolved" ? 2 : state === "planned" ? 1 : 0);
  return incidents.toSorted((one, other) => rank(one) - rank(other) || (one.startsAt < other.startsAt ? 1 : -1));
}
