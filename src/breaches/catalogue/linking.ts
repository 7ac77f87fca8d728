import type { BreachStore } from "../ports.ts";
import { countAgain } from "../scanning/announce.ts";
import { linksOf } from "./deduplication.ts";

/** Links breaches that are the same in several sources, and merges their findings. */
export async function linkAlike({ breaches, exposures, alerts, events }: BreachStore): Promise<void> {
  for (const [name, sameAs] of linksOf(await breaches.listAlike())) await breaches.link(name, sameAs);
  await countAgain({ alerts, events }, await exposures.mergeLinked());
}
