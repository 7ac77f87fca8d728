import { dataClassKey } from "../../shared/breach.ts";
import { groupOf } from "../../shared/data_groups.ts";
import type { BreachStore } from "../ports.ts";
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

/** Reported to the operator, once for each new label. */
export class NewLabel extends Error {
  constructor(label: string) {
    super(`There are no words for the kind of data "${label}" yet: it is shown as its source writes it`);
  }
}
