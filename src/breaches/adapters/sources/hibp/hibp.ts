import { createHash } from "node:crypto";
import type { BreachFeed, SourceTrouble, Subscription } from "../../../ports.ts";
import { isReadable, wasSent } from "../entries.ts";
import type { SourceOptions } from "../source_http.ts";
import { DOMAIN_BUDGET, DOMAIN_LIST_BUDGET, DOMAIN_SITES_BUDGET, hibpDomains } from "./hibp_domains.ts";
import { type Answer, hibpHttp, type KeyedCall, later, misconfigured, segment } from "./hibp_http.ts";
import { glanceAtRange, isEntry, readBreach, readCatalogue, readLatest, readNames, readRange } from "./hibp_model.ts";
import { hibpPlan } from "./hibp_plan.ts";
import { hibpTraces } from "./hibp_traces.ts";

/** HIBP rejects requests without a user agent. */
export type HibpOptions = SourceOptions & {
  /** Without a key only the catalogue can be read, and no addresses looked up. */
  apiKey: string | undefined;
};

const SOURCE = "hibp";
/** Requests without a key have no rate limit of their own, but respect the pauses of the others. */
const KEYLESS = "hibp-keyless";
const BUDGETS = [SOURCE, KEYLESS, DOMAIN_BUDGET, DOMAIN_LIST_BUDGET, DOMAIN_SITES_BUDGET];
/** HIBP serves the latest breach from its CDN, so that it can be polled often. */
const POLL_EVERY_MS = 10 * 60_000;
const PREFIX_LENGTH = 6;

/** The SHA-1 hash by which HIBP identifies an address. */
export function addressHash(address: string): string {
  return createHash("sha1").update(address.trim().toLowerCase()).digest("hex").toUpperCase();
}

/** Asks by the first digits of the address's hash if the key's plan allows it, otherwise by the address itself. */
function requestFor(address: string, { kAnonymity }: Subscription) {
  if (!kAnonymity) {
    const path = `/breachedaccount/${segment(address.trim().toLowerCase())}`;
    return { form: "address", path, parse: (text: string) => readNames(JSON.parse(text)) } as const;
  }
  const hash = addressHash(address);
  const suffix = hash.slice(PREFIX_LENGTH);
  const parse = (text: string) => glanceAtRange(text, suffix) ?? readRange(JSON.parse(text), suffix);
  return { form: "hash_prefix", path: `/breachedaccount/range/${hash.slice(0, PREFIX_LENGTH)}`, parse } as const;
}

function notYet(waitMs: number): SourceTrouble {
  return { kind: "later", afterMs: waitMs, reason: "HIBP is not to be asked again yet", isRateLimit: true };
}

function notUnderstood(what: string) {
  return later(`Cannot understand HIBP's ${what}`);
}

/** Have I Been Pwned: looks up by hash prefix if the key's plan allows it, otherwise by the address itself. */
export function hibpFeed({ baseUrl, apiKey, budget, userAgent, now, timeoutMs = 10_000 }: HibpOptions): BreachFeed {
  async function pause(sources: string[], ms: number): Promise<void> {
    const until = new Date(now().getTime() + ms);
    for (const source of sources) await budget.pause(source, until);
  }
  const request = hibpHttp({ baseUrl, userAgent, timeoutMs, now, onSilence: (ms) => pause(BUDGETS, ms) });

  async function getKeyless(path: string): Promise<Answer> {
    const wait = await budget.take(KEYLESS, 0);
    return wait > 0 ? notYet(wait) : request(path);
  }

  async function getKeyed<Body = unknown>(
    path: string,
    intervalMs: number,
    { ownBudget = SOURCE, isLimitOwn = false, ...call }: KeyedCall<Body> = {},
  ): Promise<Answer<Body>> {
    if (apiKey === undefined) return misconfigured("No HIBP API key is set");
    // Such a key is invalid in a header, and the error would quote it.
    if (!/^[\x21-\x7e]+$/.test(apiKey)) return misconfigured("The HIBP API key holds characters that no key has");
    const wait = await budget.take(ownBudget, intervalMs);
    const onLimit = isLimitOwn ? (ms: number) => pause([ownBudget], ms) : undefined;
    return wait > 0 ? notYet(wait) : request(path, { apiKey, onLimit, ...call });
  }

  const plan = hibpPlan((intervalMs) => getKeyed("/subscription/status", intervalMs), now);

  return {
    source: SOURCE,
    naming: "hibp",
    isMatched: false,
    demonstration: false,
    pollEveryMs: POLL_EVERY_MS,

    async latest() {
      const answer = await getKeyless("/latestbreach");
      if (answer.kind === "missing") return notUnderstood("newest breach");
      if (answer.kind !== "json") return answer;
      // An unreadable newest entry counts as news, so that those beside it are read.
      const latest = readLatest(answer.body);
      return latest ? { kind: "latest", ...latest } : notUnderstood("newest breach");
    },

    async catalogue() {
      const answer = await getKeyless("/breaches");
      if (answer.kind === "missing") return notUnderstood("catalogue");
      if (answer.kind !== "json") return answer;
      const entries = readCatalogue(answer.body);
      return entries && isReadable(entries) ? { kind: "catalogue", ...entries } : notUnderstood("catalogue");
    },

    async breach(name) {
      // Dot segments are resolved into another path even when encoded.
      if (/^\.{0,2}$/.test(name)) return { kind: "breach", breach: undefined };
      const answer = await getKeyless(`/breach/${segment(name)}`);
      if (answer.kind === "missing") return { kind: "breach", breach: undefined };
      if (answer.kind !== "json") return answer;
      // The facts of an unreadable entry are unknown, which must not stop the addresses that are in it.
      return isEntry(answer.body) ? { kind: "breach", breach: readBreach(answer.body) } : notUnderstood("breach");
    },

    async lookUp(address, onTold) {
      const known = await plan.current();
      if (known.kind !== "plan") return known;
      const { form, path, parse } = requestFor(address, known.subscription);
      const answer = await getKeyed(path, known.intervalMs, { parse });
      if (wasSent(answer)) onTold?.(form);
      if (answer.kind === "misconfigured") plan.forget();
      if (answer.kind === "missing") return { kind: "found", breaches: [] };
      if (answer.kind !== "json") return answer;
      if (answer.body === undefined) return { ...notUnderstood("answer for an address"), isOfAddress: true };
      const { entries, leftOut } = answer.body;
      return { kind: "found", breaches: entries, ...(leftOut > 0 && { leftOut }) };
    },

    verify: plan.verify,

    traces: hibpTraces({ get: getKeyed, plan }),

    domains: hibpDomains({ ask: getKeyed, plan }),
  };
}
