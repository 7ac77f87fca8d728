import { oneAtATime } from "../../shared/callers.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { catalogue } from "../catalogue/catalogue.ts";
import type { BreachDeps } from "../ports.ts";
import { matchAll } from "./matching.ts";

/** How long an unknown name is not looked up again. */
const ASK_AGAIN_MS = 5 * 60_000;
const SOURCE = "push";

/** The addresses of a breach, pushed by a source: SHA-1 hashes with a common prefix. */
export type Push = { breachName: string; hashPrefix: string; hashSuffixes: string[] };

/** Accepts findings pushed by a source. Hashes that match no tracked address are dropped. */
export function pushing(deps: BreachDeps) {
  const { transaction, feeds, now } = deps;
  const { syncCatalogue } = catalogue(deps);
  const main = feeds.find(({ naming, isMatched }) => naming === "hibp" && !isMatched);
  const sync = oneAtATime(async () => main && syncCatalogue(main.source));

  const isKnown = (name: string) => transaction(async ({ breaches }) => (await breaches.find(name)) !== undefined);

  /** Reads the catalogue for an unknown name; concurrent pushes share one read. */
  async function learn(): Promise<void> {
    if (main === undefined) return;
    const { syncedAt } = await transaction(({ sources }) => sources.find(main.source));
    if (syncedAt && now().getTime() - syncedAt.getTime() < ASK_AGAIN_MS) return;
    await sync();
  }

  return {
    /** Success means stored. For unknown breaches nothing is stored; the source has to retry. */
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
