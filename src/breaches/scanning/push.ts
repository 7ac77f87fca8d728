import { oneAtATime } from "../../shared/callers.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { catalogue } from "../catalogue/catalogue.ts";
import type { BreachDeps } from "../ports.ts";
import { matchAll } from "./matching.ts";

/** So long an unknown name is not asked for again. */
const ASK_AGAIN_MS = 5 * 60_000;
const SOURCE = "push";

/** Who is in a breach, as a source tells it: SHA-1 of addresses, the first digits once. */
export type Push = { breachName: string; hashPrefix: string; hashSuffixes: string[] };

/** Takes what a source tells by itself. What matches nobody here is forgotten at once. */
export function pushing(deps: BreachDeps) {
  const { transaction, feeds, now } = deps;
  const { syncCatalogue } = catalogue(deps);
  const main = feeds.find(({ naming, isMatched }) => naming === "hibp" && !isMatched);
  const sync = oneAtATime(async () => main && syncCatalogue(main.source));

  const isKnown = (name: string) => transaction(async ({ breaches }) => (await breaches.find(name)) !== undefined);

  /** Reads the catalogue for a name that is in none so far; many pushes at once read it once. */
  async function learn(): Promise<void> {
    if (main === undefined) return;
    const { syncedAt } = await transaction(({ sources }) => sources.find(main.source));
    if (syncedAt && now().getTime() - syncedAt.getTime() < ASK_AGAIN_MS) return;
    await sync();
  }

  return {
    /** Accepted means stored. Of a breach that nobody explains nothing is stored: to be sent again. */
    async takePush({ breachName, hashPrefix, hashSuffixes }: Push): Promise<Result<{ success: true }, "BUSY">> {
      if (!(await isKnown(breachName))) await learn();
      if (!(await isKnown(breachName))) return fail("BUSY", { retryAfter: ASK_AGAIN_MS / 1000 });
      const hashes = new Set(hashSuffixes.map((suffix) => (hashPrefix + suffix).toLowerCase()));
      const findings = [...hashes].map((hash) => ({ hash, breachName }));
      await transaction((store) => matchAll(store, { source: SOURCE, findings, at: now() }));
      return ok({ success: true });
    },
  };
}
