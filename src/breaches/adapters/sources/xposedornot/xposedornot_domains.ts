import * as v from "valibot";
import { oneAtATime } from "../../../../shared/callers.ts";
import type { DomainLookups, SourceTrouble } from "../../../ports.ts";
import { type Aliases, aliasesBy } from "../aliases.ts";
import { readName } from "../entries.ts";
import { later, type Received, readJson } from "../source_http.ts";

/** The limit is 50 a day. One answer has all domains, so it is kept until the next may be asked for. */
export const DOMAIN_INTERVAL_MS = 30 * 60_000;

const answerSchema = v.object({
  status: v.literal("success"),
  metrics: v.object({
    Breaches_Details: v.array(v.unknown()),
    /** Every verified domain, with the number of its rows. */
    Domain_Summary: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
});
const rowSchema = v.object({
  email: v.fallback(v.string(), ""),
  domain: v.fallback(v.optional(v.string()), undefined),
  breach: v.optional(v.unknown()),
});

/** Parses the rows of each verified domain; undefined for one of which nothing can be read, though there are rows. */
export function readDomains(body: unknown): Map<string, Aliases | undefined> | undefined {
  const answer = v.safeParse(answerSchema, body);
  if (!answer.success) return undefined;
  const { Breaches_Details: rows, Domain_Summary: summary } = answer.output.metrics;
  const found = new Map(Object.keys(summary).map((domain) => [domain.trim().toLowerCase(), aliasesBy(readName)]));
  for (const row of rows) {
    const read = v.safeParse(rowSchema, row);
    const { email = "", domain: said, breach } = read.success ? read.output : {};
    const at = email.lastIndexOf("@");
    const domain = at < 0 ? said : email.slice(at + 1);
    // A row that names no domain may be of any.
    if (domain === undefined) for (const aliases of found.values()) aliases.leaveOut();
    else found.get(domain.trim().toLowerCase())?.add(email.slice(0, Math.max(0, at)), [breach]);
  }
  return new Map(
    Object.entries(summary).map(([typed, count]) => {
      const domain = typed.trim().toLowerCase();
      const all = found.get(domain)?.all();
      return [domain, all && all.byAlias.size === 0 && count > 0 ? undefined : all];
    }),
  );
}

type Kept = { domains: Map<string, Aliases | undefined>; until: number };
type Options = {
  name: string;
  /** Asks for the breaches of all verified domains. */
  ask: () => Promise<Received | SourceTrouble>;
  now: () => Date;
};

/** Breaches of the domains that are verified for the key. */
export function xposedOrNotDomains({ name, ask, now }: Options): DomainLookups {
  let kept: Kept | undefined;

  async function readAll(): Promise<Kept | SourceTrouble> {
    if (kept && now().getTime() < kept.until) return kept;
    const answer = await ask();
    if ("kind" in answer) return answer;
    const json = readJson(name, answer);
    if (!("body" in json)) return json;
    const domains = answer.status === 200 ? readDomains(json.body) : undefined;
    if (domains === undefined) return later(`Cannot understand ${name}'s answer about domains`);
    kept = { domains, until: now().getTime() + DOMAIN_INTERVAL_MS };
    return kept;
  }
  const readOnce = oneAtATime(readAll);

  return {
    async breachesOf(domain) {
      const all = await readOnce();
      if ("kind" in all) return all;
      if (!all.domains.has(domain)) return { kind: "unverified" };
      const aliases = all.domains.get(domain);
      return aliases
        ? { kind: "found", ...structuredClone(aliases) }
        : { ...later(`Cannot understand ${name}'s answer for a domain`), isOfAddress: true };
    },
  };
}
