import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { type Alert, type AlertsTurned, api, type HandlingWords } from "../api/api.ts";
import { refreshAlerts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useBreachName } from "./breach_name.ts";
import type { TurnedAlert } from "./queries.ts";

export type Target = Alert["state"];
/** Which alerts are to become what. */
export type Asked = { alerts: TurnedAlert[]; target: Target; onTurned?: (ids: string[]) => void };
type Turn = { alerts: TurnedAlert[]; target: Target; words: HandlingWords };

export const NO_WORDS: HandlingWords = { reason: null, note: null };

/** Marks alerts as handled, or as pending again. Whatever comes out, what is shown is fetched anew. */
export function useTurn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ alerts, target, words }: Turn) =>
      target === "handled" ? api.handleAlerts(alerts, words) : api.reopenAlerts(alerts),
    onSettled: () => refreshAlerts(queryClient),
  });
}

/** Says what has become of alerts, with the way back. */
export function useTurnedToast() {
  const text = useText();
  const nameOf = useBreachName();
  const undo = useUndo();
  return (changed: Alert[], before: TurnedAlert[], target: Target) => {
    const [only] = changed;
    if (!only) return;
    const words =
      changed.length === 1
        ? text(target === "handled" ? "alerts.now_handled" : "alerts.now_pending", { title: nameOf(only) })
        : text(target === "handled" ? "alerts.now_handled_some" : "alerts.now_pending_some", { count: changed.length });
    toast.success(words, {
      action: { label: text("alerts.undo"), onClick: () => void undo(changed, before) },
    });
  };
}

/** As they were before, each with what was said about it, unless somebody has changed them since. */
function useUndo() {
  const text = useText();
  const queryClient = useQueryClient();
  const showError = useShowError("alerts.undo_failed");
  return async (changed: Alert[], before: TurnedAlert[]) => {
    try {
      const answers = await Promise.all(undoCalls(changed, before));
      const conflicts = answers.flatMap((answer) => answer.conflicts);
      if (conflicts.length > 0) toast.error(text("alerts.conflict", { count: conflicts.length }));
    } catch (error) {
      showError(error);
    } finally {
      await refreshAlerts(queryClient);
    }
  };
}

/** One call for all that go back to the same. */
function undoCalls(changed: Alert[], before: TurnedAlert[]): Promise<AlertsTurned>[] {
  const former = new Map(before.map((alert) => [alert.id, alert]));
  const groups = Map.groupBy(changed, ({ id }) => {
    const { state, reason = null, note = null } = former.get(id) ?? { state: "pending" };
    return JSON.stringify(state === "pending" ? null : { reason, note });
  });
  return [...groups].map(([key, alerts]) => {
    const words = JSON.parse(key) as HandlingWords | null;
    return words === null ? api.reopenAlerts(alerts) : api.handleAlerts(alerts, words);
  });
}
