import { isApiError } from "../api/api.ts";
import { get } from "../api/call.ts";
import type { TextId } from "../app/text_id.ts";
import type { Target } from "./alert_mutations.ts";
import type { HandledAlert } from "./queries.ts";

/**
 * An alert that was changed by another request: `seen` is the version shown, `now` the current one, undefined if
 * deleted.
 */
export type Conflict = { seen: HandledAlert; now: HandledAlert | undefined };

/** Fetches the current versions of alerts that were in conflict. */
export function lookAgain(changed: HandledAlert[]): Promise<Conflict[]> {
  return Promise.all(
    changed.map(async (seen) => ({
      seen,
      now: await get("/api/alerts/:id", { params: { id: seen.id } }).catch(noneIfGone),
    })),
  );
}

function noneIfGone(error: unknown): undefined {
  if (!isApiError(error) || error.code !== "NOT_FOUND") throw error;
}

/** The alerts that do not have the target state yet. */
export function notYetChanged(conflicts: Conflict[], target: Target): HandledAlert[] {
  return conflicts.flatMap(({ now }) => (now && now.state !== target ? now : []));
}

/** The message for a conflict. */
export function conflictText({ now }: Conflict, target: Target): TextId {
  if (now === undefined) return "alerts.conflict_gone";
  if (target === "handled") return now.state === "handled" ? "alerts.conflict_handled" : "alerts.conflict_pending";
  return now.state === "pending" ? "alerts.conflict_reopened" : "alerts.conflict_still_handled";
}
