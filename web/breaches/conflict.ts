import { api, isApiError } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";
import type { Target } from "./alert_mutations.ts";
import type { TurnedAlert } from "./queries.ts";

/** An alert that somebody changed meanwhile: as it was seen, and as it is now, if it is still there. */
export type Conflict = { seen: TurnedAlert; now: TurnedAlert | undefined };

/** How those stand that somebody else has changed. */
export function lookAgain(changed: TurnedAlert[]): Promise<Conflict[]> {
  return Promise.all(changed.map(async (seen) => ({ seen, now: await api.alert(seen.id).catch(noneIfGone) })));
}

function noneIfGone(error: unknown): undefined {
  if (!isApiError(error) || error.code !== "NOT_FOUND") throw error;
}

/** Those that are not yet what they should become. */
export function stillToTurn(conflicts: Conflict[], target: Target): TurnedAlert[] {
  return conflicts.flatMap(({ now }) => (now && now.state !== target ? now : []));
}

/** What is said of one. */
export function conflictText({ now }: Conflict, target: Target): TextId {
  if (now === undefined) return "alerts.conflict_gone";
  if (target === "handled") return now.state === "handled" ? "alerts.conflict_handled" : "alerts.conflict_pending";
  return now.state === "pending" ? "alerts.conflict_reopened" : "alerts.conflict_still_handled";
}
