import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { bundledCatalogue, listedAt } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import {
  type XposedOrNotOptions,
  xposedOrNotFeed,
} from "../../src/breaches/adapters/sources/xposedornot/xposedornot.ts";
import type { Breach } from "../../src/breaches/catalogue/breach.ts";
import type { BreachFeed } from "../../src/breaches/ports.ts";
import { freeBudget } from "./hibp_feed.ts";
import { jsonAnswer, type PeerAnswer, send } from "./hibp_peer_failures.ts";
import { limitReached, XPOSEDORNOT_FAILURES, type XposedOrNotFailure } from "./xposedornot_failures.ts";

/** An entry with XposedOrNot's keys; a test may override any of them. */
export type XposedOrNotEntry = { breachID: string } & Record<string, unknown>;
export type XposedOrNotPeer = Awaited<ReturnType<typeof startXposedOrNotPeer>>;

const SECOND = 1000;
const HOUR = 3600 * SECOND;
export const XPOSEDORNOT_KEY = "5f2c1d9a7b3e4f60";
/** The rate limit per call: so many calls per window; refused ones count. */
const LIMITS: [calls: number, within: number][] = [
  [2, SECOND],
  [25, HOUR],
  [100, 24 * HOUR],
];
const DOMAIN_LIMITS: typeof LIMITS = [
  [2, SECOND],
  [10, HOUR],
  [50, 24 * HOUR],
];

function entryOf(breach: Breach): XposedOrNotEntry {
  return {
    breachID: breach.name,
    breachedDate: `${breach.breachDate}T00:00:00+00:00`,
    addedDate: breach.addedDate.replace("Z", "+00:00"),
    domain: breach.domain,
    industry: "Information Technology",
    logo: `https://logos.xposedornot.com/${breach.name}.png`,
    passwordRisk: "hardtocrack",
    searchable: true,
    sensitive: breach.flags.includes("sensitive"),
    verified: !breach.flags.includes("unverified"),
    breachType: "Website",
    exposedData: breach.dataClasses,
    exposedRecords: breach.pwnCount,
    exposureDescription: breach.description,
    referenceURL: breach.disclosureUrl ?? "",
  };
}

const catalogue = await bundledCatalogue();
const stateOf = (published: "2025-11-14" | "2026-07-20") =>
  listedAt(catalogue, published === "2025-11-14" ? "2025-11-14T00:00:00Z" : "2026-07-20T23:59:59Z").map(entryOf);

/** A fake of XposedOrNot's API on loopback that returns its response formats and can be told to fail. */
export async function startXposedOrNotPeer({
  now,
}: {
  /** With a clock, its rate limits are enforced. */ now?: () => Date;
} = {}) {
  let entries = stateOf("2025-11-14");
  const accounts = new Map<string, string[]>();
  const shielded = new Set<string>();
  const domains = new Set<string>();
  let domainBody: unknown;
  const failures: XposedOrNotFailure[] = [];
  const requests: { method: string; path: string; headers: Record<string, string>; at: number }[] = [];

  function check(typed: string): PeerAnswer {
    const email = typed.toLowerCase();
    const isTaken = /^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$/.test(email);
    if (shielded.has(email)) return jsonAnswer(404, { Error: "No breaches found", email, status: "failed" });
    const hidden = (name: string) => entries.find(({ breachID }) => breachID === name)?.sensitive !== false;
    const found = (accounts.get(email) ?? []).filter((name) => !hidden(name));
    if (!isTaken || found.length === 0) return jsonAnswer(200, { Error: "Not found", email: null });
    return jsonAnswer(200, { breaches: [found], email, status: "success" });
  }

  function list(query: URLSearchParams, since: string | undefined): PeerAnswer {
    const id = query.get("breach_id");
    const listed = entries.filter(({ breachID }) => id === null || breachID === id);
    const newest = Math.max(...entries.map(({ addedDate }) => Date.parse(String(addedDate)) || 0));
    const modified = new Date(newest).toUTCString();
    if (id === null && since === modified) return { status: 304, headers: {}, body: "" };
    if (listed.length === 0) return jsonAnswer(200, { status: "Not Found", message: "None", exposedBreaches: null });
    const body = { status: "success", message: null, exposedBreaches: listed };
    return jsonAnswer(200, body, { "last-modified": modified });
  }

  /** Every verified domain with the number of its rows, sensitive breaches included, and much that is not needed. */
  function ofDomains(key: string | undefined): PeerAnswer {
    if (key !== XPOSEDORNOT_KEY) return jsonAnswer(401, { detail: "Invalid or missing API key" });
    if (domainBody !== undefined) return jsonAnswer(200, domainBody);
    const rows = [...accounts].flatMap(([email, names]) => {
      const domain = email.slice(email.lastIndexOf("@") + 1);
      return domains.has(domain) ? names.map((breach) => ({ email, domain, breach })) : [];
    });
    const summary = [...domains].map((domain) => [domain, rows.filter((row) => row.domain === domain).length]);
    const metrics = {
      Yearly_Metrics: { "2013": 1 },
      Domain_Summary: Object.fromEntries(summary),
      Breach_Summary: { Adobe: 1 },
      Breaches_Details: rows,
      Top10_Breaches: { Adobe: 1 },
      Detailed_Breach_Info: { Adobe: { xposed_records: 152_445_165, password_risk: "easytocrack" } },
    };
    return jsonAnswer(200, { status: "success", metrics });
  }

  function refusal(path: string): PeerAnswer | undefined {
    if (now === undefined) return undefined;
    const time = now().getTime();
    const same = requests.filter((request) => request.path.split("/")[2] === path.split("/")[2]);
    const limits = path.includes("domain") ? DOMAIN_LIMITS : LIMITS;
    const over = limits.find(([calls, within]) => same.filter(({ at }) => at > time - within).length > calls);
    return over && limitReached(Math.ceil(over[1] / SECOND));
  }

  function answerTo({ method, url = "", headers }: IncomingMessage): PeerAnswer {
    const [path = "", query = ""] = url.split("?", 2);
    const refused = refusal(path);
    if (refused) return refused;
    if (path === "/v1/breaches") return list(new URLSearchParams(query), headers["if-modified-since"]);
    if (path === "/v1/domain-breaches/" && method === "POST") return ofDomains(String(headers["x-api-key"] ?? ""));
    const [, typed] = /^\/v1\/check-email\/([^/]+)$/.exec(path) ?? [];
    return typed === undefined ? jsonAnswer(404, { detail: "Not Found" }) : check(decodeURIComponent(typed));
  }

  const server = createServer((incoming, response) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    requests.push({ method: incoming.method ?? "", path: incoming.url ?? "", headers, at: now?.().getTime() ?? 0 });
    const answer = answerTo(incoming);
    const failure = failures.shift();
    if (failure) XPOSEDORNOT_FAILURES[failure](response, answer);
    else if (answer.status === 304) response.writeHead(304).end();
    else send(response, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the peer");

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    publish(state: "2025-11-14" | "2026-07-20" | XposedOrNotEntry): void {
      if (typeof state === "string") entries = stateOf(state);
      else entries.push({ ...(entries[0] ?? {}), ...state });
    },
    addAccount: (email: string, breaches: string[]): void => void accounts.set(email.toLowerCase(), breaches),
    shield: (email: string): void => void shielded.add(email),
    /** Its breaches are listed for the key. */
    verifyDomain: (domain: string): void => void domains.add(domain),
    /** Answers for domains with this body, whatever is known of them; undefined ends that. */
    answerForDomains(body: unknown): void {
      domainBody = body;
    },
    failNext(kind: XposedOrNotFailure, times = 1): void {
      for (let i = 0; i < times; i++) failures.push(kind);
    },
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * The adapter connected to a peer, without a rate limit unless the test sets one, and with a list that is never cached.
 */
export function xposedOrNotOn(peer: XposedOrNotPeer, options: Partial<XposedOrNotOptions> = {}): BreachFeed {
  let time = Date.parse("2026-11-20T12:00:00Z");
  return xposedOrNotFeed({
    baseUrl: peer.url,
    budget: freeBudget,
    userAgent: "Breachbell/0.1.0 (+https://breachbell.example)",
    now: () => {
      time += 5 * 60_000;
      return new Date(time);
    },
    ...options,
  });
}
