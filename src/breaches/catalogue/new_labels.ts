import { dataClassKey } from "../../shared/breach.ts";
import { groupOf } from "../../shared/data_groups.ts";
import type { BreachDeps, BreachStore } from "../ports.ts";
import type { Breach } from "./breach.ts";

/** Kinds of stolen data in these entries that have no translation and that no listed entry has had before; without duplicates. */
export async function newLabels({ breaches }: Pick<BreachStore, "breaches">, entries: Breach[]): Promise<string[]> {
  const unknown = new Map<string, string>();
  for (const label of entries.flatMap(({ dataClasses }) => dataClasses)) {
    const key = dataClassKey(label);
    if (groupOf(key) === "other" && !unknown.has(key)) unknown.set(key, label);
  }
  if (unknown.size === 0) return [];
  const seen = new Set(await breaches.listLabels([...unknown.values()]));
  return [...unknown.values()].filter((label) => !seen.has(label));
}

/** Tells the operator about each new label, once. */
export function noteLabels({ note }: Pick<BreachDeps, "note">, source: string, labels: string[]): void {
  for (const label of labels)
    note?.("A kind of data has no translation yet: it is shown as its source writes it", { source, label });
}
