import { KEY_REFUSED } from "../../../../shared/sources.ts";
import type { BreachFeed, SourceTrouble } from "../../../ports.ts";
import { type Entries, isReadable, latestOf, wasSent } from "../entries.ts";
import {
  later,
  misconfigured,
  type Received,
  readJson,
  type SourceOptions,
  type SourceRequest,
  segment,
  sourceHttp,
} from "../source_http.ts";
import { DOMAIN_INTERVAL_MS, xposedOrNotDomains } from "./xposedornot_domains.ts";
import { readCatalogue, readNames } from "./xposedornot_model.ts";

/** The base URL is such as `https://api.xposedornot.com`. */
export type XposedOrNotOptions = SourceOptions & {
  /** Only for the breaches of whole domains. */
  apiKey?: string | undefined;
};

const NAME = "XposedOrNot";
const SOURCE = "xposedornot";
const CATALOGUE = "xposedornot-catalogue";
const DOMAINS = "xposedornot-domains";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * The limits are 100 a day and 25 an hour per server and endpoint, refused requests included. Spread evenly, that is one in 15
 * minutes.
 */
const INTERVAL_MS = 15 * MINUTE;
/** Enough for several 100,000 rows of domains. */
const DOMAINS_BODY_LIMIT = 32 * 1024 * 1024;
const DOMAINS_TIMEOUT_MS = 60_000;
const BLOCKED_MS = 24 * HOUR;
/** Callers within this time share one request for the list. */
const FRESH_MS = MINUTE;
/** What the API accepts as an address; for others it answers "not found", which would be misleading. */
const TAKEN = /^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$/;
const LONGEST_ADDRESS = 254;

type Listed = Entries & { modified: string | null; readAt: number };

function waitOf(header: string | null): number {
  const seconds = /^\d+$/.test(header?.trim() ?? "") ? Number(header) : HOUR / 1000;
  return Math.min(BLOCKED_MS, Math.max(1000, seconds * 1000));
}

/** XposedOrNot, which needs no key but has a low rate limit, so it suits small installations. */
export function xposedOrNotFeed({
  baseUrl,
  apiKey,
  budget,
  userAgent,
  now,
  timeoutMs = 10_000,
}: XposedOrNotOptions): BreachFeed {
  const receive = sourceHttp({ name: NAME, baseUrl, userAgent, timeoutMs, bodies: [404] });
  let listed: Listed | undefined;

  async function silence(ms: number, sources = [SOURCE, CATALOGUE, DOMAINS]): Promise<void> {
    const until = new Date(now().getTime() + ms);
    for (const source of sources) await budget.pause(source, until);
  }

  /** The breaches of all domains that are verified for the key. */
  function askForDomains(key: string): Promise<Received | SourceTrouble> {
    return get(DOMAINS, "/v1/domain-breaches/", {
      method: "POST",
      headers: { "x-api-key": key },
      intervalMs: DOMAIN_INTERVAL_MS,
      bodyLimit: DOMAINS_BODY_LIMIT,
      timeoutMs: DOMAINS_TIMEOUT_MS,
    });
  }

  /** A conclusive response: 200, 304 or 404. */
  async function get(
    budgetName: string,
    path: string,
    { intervalMs = INTERVAL_MS, ...request }: SourceRequest & { intervalMs?: number } = {},
  ): Promise<Received | SourceTrouble> {
    const wait = await budget.take(budgetName, intervalMs);
    if (wait > 0)
      return { kind: "later", afterMs: wait, reason: `${NAME} is not to be asked again yet`, isRateLimit: true };
    const received = await receive(path, request);
    if ("kind" in received) return received;
    const { status } = received;
    if ([200, 304, 404].includes(status)) return received;
    if (request.method === "POST" && (status === 401 || status === 403)) {
      // If the whole server is blocked, the calls without a key will say so.
      await silence(status === 403 ? BLOCKED_MS : HOUR, [DOMAINS]);
      return misconfigured(`${NAME} ${KEY_REFUSED}`);
    }
    if (status === 403) {
      await silence(BLOCKED_MS);
      return misconfigured(`${NAME} blocks this server for a day`);
    }
    if (status === 429) {
      const ms = waitOf(received.headers.get("retry-after"));
      await silence(ms);
      return later(`${NAME}'s limit is reached`, ms);
    }
    return later(`${NAME} answered with the unexpected status ${status}`);
  }

  async function list(): Promise<Listed | SourceTrouble> {
    if (listed && now().getTime() - listed.readAt < FRESH_MS) return listed;
    const answer = await get(
      CATALOGUE,
      "/v1/breaches",
      listed?.modified ? { headers: { "if-modified-since": listed.modified } } : {},
    );
    if ("kind" in answer) return answer;
    const readAt = now().getTime();
    if (answer.status === 304 && listed) {
      listed = { ...listed, readAt };
      return listed;
    }
    if (answer.status !== 200) return later(`Cannot understand ${NAME}'s catalogue`);
    const json = readJson(NAME, answer);
    if (!("body" in json)) return json;
    const entries = readCatalogue(json.body);
    if (entries === undefined || !isReadable(entries)) return later(`Cannot understand ${NAME}'s catalogue`);
    listed = { ...entries, modified: answer.headers.get("last-modified"), readAt };
    return listed;
  }

  return {
    source: SOURCE,
    naming: "own",
    isMatched: false,
    demonstration: false,
    pollEveryMs: HOUR,
    ...(apiKey !== undefined && {
      domains: xposedOrNotDomains({ name: NAME, now, ask: () => askForDomains(apiKey) }),
    }),

    async latest() {
      const known = await list();
      return "kind" in known ? known : latestOf(known.breaches);
    },

    async catalogue() {
      const known = await list();
      if ("kind" in known) return known;
      return { kind: "catalogue", breaches: structuredClone(known.breaches), leftOut: known.leftOut };
    },

    async breach(name) {
      const find = () => listed?.breaches.find((breach) => breach.name === name);
      const known = find() ? undefined : await list();
      // While the list may not be requested again, the next reading explains the name.
      if (known && "kind" in known && !(known.kind === "later" && known.isRateLimit)) return known;
      return { kind: "breach", breach: structuredClone(find()) };
    },

    async lookUp(address, onTold) {
      const asked = address.trim().toLowerCase();
      if (!TAKEN.test(asked) || asked.length > LONGEST_ADDRESS) return { kind: "unsupported" };
      const answer = await get(SOURCE, `/v1/check-email/${segment(asked)}`);
      if (wasSent(answer)) onTold?.("address");
      if ("kind" in answer) return answer;
      const json = readJson(NAME, answer);
      if (!("body" in json)) return json;
      const read = readNames(answer.status, json.body, asked);
      if (read === undefined)
        return { ...later(`Cannot understand ${NAME}'s answer for an address`), isOfAddress: true };
      return { kind: "found", breaches: read.entries, ...(read.leftOut > 0 && { leftOut: read.leftOut }) };
    },
  };
}
