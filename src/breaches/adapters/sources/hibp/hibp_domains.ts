import type { DomainLookups, FoundByAlias, SourceTrouble } from "../../../ports.ts";
import { type Aliases, aliasesBy } from "../aliases.ts";
import { readName } from "../entries.ts";
import { type Answer, type KeyedCall, later, segment } from "./hibp_http.ts";
import { isAlreadyVerified, readRecord, readSite, readSubscribed } from "./hibp_model.ts";
import type { Plan } from "./hibp_plan.ts";

/** HIBP states no limit for breaches of domains, but asks to repeat a look-up only after a new breach. */
export const DOMAIN_BUDGET = "hibp-domain";
const DOMAIN_EVERY_MS = 10_000;
/** Stealer logs of domains have a limit of their own, lower than the plan's and not published. */
export const DOMAIN_SITES_BUDGET = "hibp-domain-sites";
const SITES_EVERY_MS = 60_000;
/** The list of verified domains is asked for after a refusal, when the budget of domains has just been used. */
export const DOMAIN_LIST_BUDGET = "hibp-domain-list";
/** Enough for 100,000 addresses with more than twenty breaches each. */
const BODY_LIMIT = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const REFUSED_MS = 60 * 60_000;

type Calls = {
  ask: <Body>(path: string, intervalMs: number, call: KeyedCall<Body>) => Promise<Answer<Body>>;
  plan: { current(): Promise<Plan | SourceTrouble>; forget(): void };
};

/** By alias, what HIBP lists for it. For "none" HIBP answers 404 and never an empty object, which is therefore invalid. */
function readAliases(body: unknown, read: (value: unknown) => string | undefined): Aliases | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const aliases = aliasesBy(read);
  for (const [alias, values] of Object.entries(body)) aliases.add(alias, Array.isArray(values) ? values : []);
  const all = aliases.all();
  return all?.byAlias.size === 0 ? undefined : all;
}

function notUnderstood(what: string): SourceTrouble {
  return { ...later(`Cannot understand HIBP's ${what}`), isOfAddress: true };
}

/** Breaches and stealer logs of the domains that are verified for the key, and their verification. */
export function hibpDomains({ ask, plan }: Calls): DomainLookups {
  async function keyed<Body>(path: string, everyMs: number, call: KeyedCall<Body>): Promise<Answer<Body>> {
    const known = await plan.current();
    if (known.kind !== "plan") return known;
    const answer = await ask(path, everyMs, { ownBudget: DOMAIN_BUDGET, ...call });
    if (answer.kind === "misconfigured") plan.forget();
    return answer;
  }

  async function aliasesOf(
    path: string,
    everyMs: number,
    { read, ...limits }: { read: (value: unknown) => string | undefined } & KeyedCall<never>,
  ): Promise<FoundByAlias | { kind: "unverified" } | SourceTrouble> {
    const answer = await keyed<Aliases | "unverified" | undefined>(path, everyMs, {
      ...limits,
      parse: (text) => readAliases(JSON.parse(text), read),
      refused: "unverified",
      bodyLimit: BODY_LIMIT,
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.kind === "missing" && !answer.isPage) return { kind: "found", byAlias: new Map(), leftOut: 0 };
    if (answer.kind === "missing") return notUnderstood("answer for a domain");
    if (answer.kind !== "json") return answer;
    if (answer.body === undefined) return notUnderstood("answer for a domain");
    return answer.body === "unverified" ? { kind: "unverified" } : { kind: "found", ...answer.body };
  }

  /** Why HIBP refuses a domain: it answers 403 also for one that is verified, but larger than the subscription covers. */
  async function refusal(domain: string): Promise<{ kind: "unverified" } | SourceTrouble> {
    const answer = await keyed("/subscribeddomains", DOMAIN_EVERY_MS, {
      ownBudget: DOMAIN_LIST_BUDGET,
      parse: (text) => readSubscribed(JSON.parse(text)),
    });
    if (answer.kind === "missing") return notUnderstood("list of domains");
    if (answer.kind !== "json") return answer;
    if (answer.body === undefined) return notUnderstood("list of domains");
    return answer.body.includes(domain.toLowerCase())
      ? { ...later("HIBP's subscription does not cover a domain of this size", REFUSED_MS), isOfAddress: true }
      : { kind: "unverified" };
  }

  function verification<Body>(step: string, domain: string, call: KeyedCall<Body>): Promise<Answer<Body>> {
    return keyed(`/domainverification/${step}`, DOMAIN_EVERY_MS, { ...call, posted: { DomainName: domain } });
  }
  const bad = (said: unknown) => (isAlreadyVerified(said) ? ("verified" as const) : undefined);

  return {
    async breachesOf(domain) {
      const answer = await aliasesOf(`/breacheddomain/${segment(domain)}`, DOMAIN_EVERY_MS, { read: readName });
      return answer.kind === "unverified" ? refusal(domain) : answer;
    },

    async sitesOf(domain) {
      const known = await plan.current();
      if (known.kind === "plan" && !known.subscription.stealerLogs) return { kind: "refused" };
      const own = { ownBudget: DOMAIN_SITES_BUDGET, isLimitOwn: true };
      return aliasesOf(`/stealerlogsbyemaildomain/${segment(domain)}`, SITES_EVERY_MS, { read: readSite, ...own });
    },

    async startVerification(domain) {
      const answer = await verification<{ record: string | undefined } | "verified" | "refused">(
        "generatednstoken",
        domain,
        { parse: (text) => ({ record: readRecord(JSON.parse(text)) }), refused: "refused", bad },
      );
      if (answer.kind === "missing") return notUnderstood("answer about a domain");
      if (answer.kind !== "json") return answer;
      if (typeof answer.body === "string") return { kind: answer.body };
      const { record } = answer.body;
      return record === undefined ? notUnderstood("answer about a domain") : { kind: "record", value: record };
    },

    async finishVerification(domain) {
      const answer = await verification<"verified" | "refused">("verifydnstoken", domain, {
        parse(text) {
          JSON.parse(text);
          return "verified";
        },
        done: "verified",
        refused: "refused",
        bad,
      });
      if (answer.kind === "missing")
        return answer.isPage ? notUnderstood("answer about a domain") : { kind: "missing" };
      return answer.kind === "json" ? { kind: answer.body } : answer;
    },
  };
}
