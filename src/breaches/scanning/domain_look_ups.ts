import type { BreachFacts } from "../../shared/breach.ts";
import { factsByName } from "../alerts/alerts.ts";
import { keyOf } from "../catalogue/breach.ts";
import type { BreachDeps, DomainLookups } from "../ports.ts";
import { feedOf } from "./sources.ts";

/** What other modules query about breaches and whole domains. Breaches are named as in the stored catalogue. */
export function domainLookUps({ transaction, feeds }: BreachDeps) {
  const able = feeds.filter(({ domains }) => domains !== undefined);

  function lookupsOf(source: string): DomainLookups {
    const { domains } = feedOf(able, source);
    if (!domains) throw new Error(`Cannot ask "${source}" about domains`);
    return domains;
  }

  return {
    /** The facts of breaches by name; unknown ones are left out. */
    factsOfBreaches: (names: string[]): Promise<Map<string, BreachFacts>> =>
      transaction((store) => factsByName(store, names)),

    /** The name under which findings of each of these breaches are stored, where two sources list the same one. */
    canonicalNames: (names: string[]): Promise<Map<string, string>> =>
      transaction(({ breaches }) => breaches.canonical([...new Set(names)])),

    /** The names of all sensitive breaches. */
    sensitiveNames: (): Promise<string[]> => transaction(({ breaches }) => breaches.listSensitive()),

    /** The sources that know whole domains. */
    domainSources: {
      names: () => able.map(({ source }) => source),
      generationOf: (source: string) => transaction(async ({ sources }) => (await sources.find(source)).generation),

      async breachesOf(source: string, domain: string) {
        const found = await lookupsOf(source).breachesOf(domain);
        if (found.kind !== "found") return found;
        const feed = feedOf(able, source);
        const keys = [...new Set([...found.byAlias.values()].flat())].map((name) => [name, keyOf(feed, name)] as const);
        const known = await transaction(({ breaches }) => breaches.canonical(keys.map(([, key]) => key)));
        const names = new Map(keys.map(([name, key]) => [name, known.get(key) ?? key]));
        const byAlias = new Map(
          [...found.byAlias].map(([alias, list]) => [alias, list.map((one) => names.get(one) ?? one)]),
        );
        return { ...found, byAlias };
      },

      async sitesOf(source: string, domain: string) {
        const found = await lookupsOf(source).sitesOf?.(domain);
        return found === undefined || found.kind === "refused" ? { kind: "none" as const } : found;
      },

      async startVerification(source: string, domain: string) {
        const begun = await lookupsOf(source).startVerification?.(domain);
        return begun === undefined || begun.kind === "refused" ? { kind: "by_operator" as const } : begun;
      },

      async finishVerification(source: string, domain: string) {
        const finished = await lookupsOf(source).finishVerification?.(domain);
        return finished === undefined || finished.kind === "refused" ? { kind: "by_operator" as const } : finished;
      },
    },
  };
}
