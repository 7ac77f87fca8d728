import { useState } from "react";
import { MOST_ALERTS_AT_ONCE } from "../../src/shared/alert.ts";
import type { Alert } from "../api/api.ts";

export type Selection = {
  alerts: Alert[];
  has: (id: string) => boolean;
  change: (alerts: Alert[], isSelected: boolean) => void;
  remove: (ids: string[]) => void;
  clear: () => void;
  /** Whether the selection has reached the maximum of one bulk action. */
  isFull: boolean;
};

/** The selection across all pages; alerts on the current page are replaced by their latest version. */
export function useSelection(inSight: Alert[]): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Alert>>(new Map());
  const now = new Map(inSight.map((alert) => [alert.id, alert]));
  return {
    alerts: [...chosen.values()].map((alert) => now.get(alert.id) ?? alert),
    has: (id) => chosen.has(id),
    change: (alerts, isSelected) =>
      setChosen((before) => (isSelected ? withAll(before, alerts) : without(before, alerts))),
    remove: (ids) =>
      setChosen((before) =>
        without(
          before,
          ids.map((id) => ({ id })),
        ),
      ),
    clear: () => setChosen(new Map()),
    isFull: chosen.size >= MOST_ALERTS_AT_ONCE,
  };
}

function withAll(before: ReadonlyMap<string, Alert>, alerts: Alert[]): ReadonlyMap<string, Alert> {
  const all = [...before, ...alerts.map((alert) => [alert.id, alert] as const)];
  return new Map([...new Map(all)].slice(0, MOST_ALERTS_AT_ONCE));
}

function without(before: ReadonlyMap<string, Alert>, gone: Pick<Alert, "id">[]): ReadonlyMap<string, Alert> {
  const after = new Map(before);
  for (const { id } of gone) after.delete(id);
  return after;
}
