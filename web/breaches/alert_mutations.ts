import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { HandleReason } from "../../src/shared/alert.ts";
import type { Alert, AlertsChanged, HandlingWords } from "../api/api.ts";
import { post } from "../api/call.ts";
import { refreshAlerts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useBreachName } from "./breach_name.ts";
import type { HandledAlert } from "./queries.ts";

export type Target = Alert["state"];
/** The alerts to change and their new state. */
export type Asked = {
  alerts: HandledAlert[];
  target: Target;
  /** Preselected in the dialog. */
  reason?: HandleReason;
  onChanged?: (ids: string[]) => void;
};
type Turn = { alerts: HandledAlert[]; target: Target; words: HandlingWords };

/** Optimistic locking: a change names the version that it was based on. */
function versionsOf(alerts: HandledAlert[]) {
  return alerts.map(({ id, version }) => ({ id, version }));
}

function handle(alerts: HandledAlert[], words: HandlingWords) {
  return post("/api/alerts/handle", { body: { alerts: versionsOf(alerts), ...words } });
}

function reopen(alerts: HandledAlert[]) {
  return post("/api/alerts/reopen", { body: { alerts: versionsOf(alerts) } });
}

/** Marks alerts as handled or as pending. Whether it succeeds or not, all alert queries are refetched. */
export function useChangeState() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ alerts, target, words }: Turn) => (target === "handled" ? handle(alerts, words) : reopen(alerts)),
    onSettled: () => refreshAlerts(queryClient),
  });
}

/** Returns a function that confirms the change in a toast with an undo button. */
export function useChangedToast() {
  const text = useText();
  const nameOf = useBreachName();
  const undo = useUndo();
  return (changed: Alert[], before: HandledAlert[], target: Target) => {
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

/** Restores the previous states with reason and note, except for alerts that were changed again since. */
function useUndo() {
  const text = useText();
  const queryClient = useQueryClient();
  const showError = useShowError("alerts.undo_failed");
  return async (changed: Alert[], before: HandledAlert[]) => {
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

/** One call per group of alerts with the same previous state, reason and note. */
function undoCalls(changed: Alert[], before: HandledAlert[]): Promise<AlertsChanged>[] {
  const former = new Map(before.map((alert) => [alert.id, alert]));
  const groups = Map.groupBy(changed, ({ id }) => {
    const { state, reason = null, note = null } = former.get(id) ?? { state: "pending" };
    return JSON.stringify(state === "pending" ? null : { reason, note });
  });
  return [...groups].map(([key, alerts]) => {
    const words = JSON.parse(key) as HandlingWords | null;
    return words === null ? reopen(alerts) : handle(alerts, words);
  });
}
