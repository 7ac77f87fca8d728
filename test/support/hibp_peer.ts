import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import TEST_ACCOUNTS from "./hibp_accounts.json";
import {
  HIBP_ROUTES,
  type PeerAccount,
  type PeerEntry,
  type PeerRequest,
  type PeerSubscription,
  type PeerWorld,
} from "./hibp_peer_answers.ts";
import {
  errorAnswer,
  HIBP_FAILURES,
  type HibpFailure,
  type PeerAnswer,
  send,
  textAnswer,
} from "./hibp_peer_failures.ts";

export type { HibpFailure } from "./hibp_peer_failures.ts";
export { TEST_ACCOUNTS as HIBP_TEST_ACCOUNTS };

/** Accepted for HIBP's own test accounts only. */
export const HIBP_TEST_KEY = "0".repeat(32);
const BASE_PATH = "/api/v3";
const ADAPTERS = join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled");

export type RecordedRequest = {
  method: string /** Exactly as it came over the wire. */;
  path: string;
  headers: Record<string, string>;
  body?: string;
};
type Published = "2025-11-14" | "2026-07-20" | PeerEntry | PeerEntry[];

export type HibpPeerOptions = {
  apiKey?: string;
  published?: "2025-11-14" | "2026-07-20";
  subscription?: Partial<PeerSubscription>;
  /** Rows of other addresses in range responses; without any an unknown prefix is a 404. */
  strangers?: number;
  suffixCase?: "upper" | "lower";
  /** With a clock, the subscription's rate limit is enforced in windows of one minute. */
  now?: () => Date;
};
export type HibpPeer = Awaited<ReturnType<typeof startHibpPeer>>;

function entriesOf(file: string): PeerEntry[] {
  return JSON.parse(readFileSync(join(ADAPTERS, file), "utf8"));
}

function catalogue(state: "2025-11-14" | "2026-07-20"): PeerEntry[] {
  const entries = entriesOf("bundled_catalogue.json");
  if (state === "2026-07-20") return entries;
  const former = new Map(entriesOf("bundled_changes.json").map((entry) => [entry.Name, entry]));
  return entries.filter((entry) => String(entry.AddedDate) < state).map((entry) => former.get(entry.Name) ?? entry);
}

/** A complete entry, added an hour after the newest, with the given overrides. */
function newEntry(entries: PeerEntry[], said: PeerEntry): PeerEntry {
  const newest = Math.max(...entries.map((entry) => Date.parse(String(entry.AddedDate)) || 0));
  const added = new Date(newest + 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    Title: said.Name,
    Domain: `${said.Name.toLowerCase()}.example`,
    BreachDate: added.slice(0, 10),
    AddedDate: added,
    ModifiedDate: added,
    PwnCount: 1234,
    Description: `A breach of ${said.Name}.`,
    LogoPath: `https://logos.haveibeenpwned.com/${said.Name}.png`,
    Attribution: null,
    DisclosureUrl: null,
    DataClasses: ["Email addresses", "Passwords"],
    IsVerified: true,
    IsFabricated: false,
    IsSensitive: false,
    IsRetired: false,
    IsSpamList: false,
    IsMalware: false,
    IsSubscriptionFree: false,
    IsStealerLog: false,
    ...said,
  };
}

function testAccounts(): Map<string, PeerAccount> {
  const paste = { Source: "Pastebin", Id: "8Q0BvKD8", Title: "syslog", Date: "2014-03-04T19:14:54Z", EmailCount: 139 };
  return new Map(
    TEST_ACCOUNTS.map(({ address, stored, inactive = [], pastes = 0, websites = [], optedOut = [] }) => [
      address,
      {
        breaches: stored,
        inactive,
        websites,
        optedOut: optedOut as PeerAccount["optedOut"],
        pastes: Array(pastes).fill(paste),
      },
    ]),
  );
}

const PRO: PeerSubscription = {
  SubscriptionName: "Pro 1",
  Description: "Professional plan",
  SubscribedUntil: "2030-01-01T00:00:00Z",
  Rpm: 500,
  DomainSearchMaxBreachedAccounts: null,
  MaxBreachedDomains: 50,
  IncludesStealerLogs: true,
  IncludesBulkDomainAdd: true,
  IncludesAutoSubdomainVerification: true,
  IncludesCustomerDomains: true,
  IncludesKAnon: true,
};

function decoded(path: string): string[] {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * A fake of Have I Been Pwned's API on loopback: requests are validated and answered as the real API does, from the
 * real catalogue and its official test accounts, and any failure can be injected.
 */
export async function startHibpPeer(options: HibpPeerOptions = {}) {
  const { apiKey = "0123456789abcdef0123456789abcdef", now } = options;
  const world: PeerWorld = {
    entries: catalogue(options.published ?? "2025-11-14"),
    accounts: testAccounts(),
    subscription: { ...PRO, ...options.subscription },
    domains: new Set(),
    unpublished: new Set(),
    domainBodies: new Map(),
    strangers: options.strangers ?? 3,
    suffixCase: options.suffixCase ?? "upper",
  };
  const requests: RecordedRequest[] = [];
  const failures: { kind: HibpFailure; path: string }[] = [];
  const used = { minute: 0, calls: 0 };

  /** Seconds until the next minute once this minute's calls are used up. */
  function overRate(): number | undefined {
    if (now === undefined || world.subscription === undefined) return undefined;
    const time = now().getTime();
    const minute = Math.floor(time / 60_000);
    if (minute !== used.minute) Object.assign(used, { minute, calls: 0 });
    used.calls++;
    return used.calls > world.subscription.Rpm ? Math.ceil(((minute + 1) * 60_000 - time) / 1000) : undefined;
  }

  function answerTo({ method, path, headers }: RecordedRequest, body: string): PeerAnswer {
    const [rawPath = "", rawQuery = ""] = path.split("?", 2);
    const segments = decoded(rawPath.slice(BASE_PATH.length + 1));
    if (!headers["user-agent"]) {
      const why = "API request must include a user agent";
      return /^breachedaccount\/range\//i.test(segments.join("/")) ? textAnswer(403, why) : errorAnswer(403, why);
    }
    const [first = "", ...rest] = segments;
    const exact = HIBP_ROUTES[`${method} ${segments.join("/").toLowerCase()}`];
    const route = exact ?? HIBP_ROUTES[`${method} ${[first, ...rest.slice(0, -1), "*"].join("/").toLowerCase()}`];
    if (!rawPath.startsWith(`${BASE_PATH}/`) || route === undefined) return textAnswer(404, "Not found");
    const request: PeerRequest = { method, segments, query: new URLSearchParams(rawQuery), body, testKey: false };
    if (!route.keyed) return route.answer(world, request);
    const key = headers["hibp-api-key"];
    const denied = (why: string) => errorAnswer(401, `Access denied due to ${why} hibp-api-key.`);
    if (!key) return denied("missing");
    if (!/^[0-9a-f]{32}$/i.test(key)) return denied("improperly formed");
    const testKey = key === HIBP_TEST_KEY;
    const forTests = /^(breachedaccount|pasteaccount|stealerlogsbyemail)$/i.test(first);
    if (key !== apiKey && !(testKey && forTests)) return denied("invalid");
    const wait = overRate();
    if (wait !== undefined) {
      return errorAnswer(429, `Rate limit is exceeded. Try again in ${wait} seconds.`, { "retry-after": String(wait) });
    }
    return route.answer(world, { ...request, testKey });
  }

  const server = createServer(async (incoming, response) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const request: RecordedRequest = { method: incoming.method ?? "", path: incoming.url ?? "", headers };
    requests.push(request);
    const body = await bodyOf(incoming);
    if (body !== "") request.body = body;
    const answer = answerTo(request, body);
    const ordered = failures.findIndex(({ path }) => request.path.slice(BASE_PATH.length).startsWith(path));
    const [failure] = ordered < 0 ? [] : failures.splice(ordered, 1);
    if (failure) HIBP_FAILURES[failure.kind](response, answer);
    else send(response, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the HIBP peer");

  return {
    url: `http://127.0.0.1:${address.port}${BASE_PATH}`,
    apiKey,
    /** All requests, in order. */
    requests,
    /** Replaces the catalogue by a real snapshot, or adds an entry to it, or changes the entry of that name. */
    publish(change: Published): void {
      if (typeof change === "string") world.entries = catalogue(change);
      else {
        for (const said of [change].flat()) {
          const former = world.entries.find((entry) => entry.Name === said.Name);
          if (former) Object.assign(former, said);
          else world.entries.push(newEntry(world.entries, said));
        }
        world.entries.sort((a, b) => String(a.Title).localeCompare(String(b.Title)));
      }
    },
    withdraw(name: string): void {
      world.entries = world.entries.filter((entry) => entry.Name !== name);
    },
    /** Makes the next `times` requests fail whose path (after the base) starts with `path`. */
    failNext(kind: HibpFailure, times = 1, path = ""): void {
      for (let i = 0; i < times; i++) failures.push({ kind, path });
    },
    /** Changes the key's plan; undefined ends the subscription. */
    subscription(change: Partial<PeerSubscription> | undefined): void {
      world.subscription = change && { ...PRO, ...world.subscription, ...change };
    },
    addAccount(typed: string, breaches: string[], more: Partial<PeerAccount> = {}): void {
      const account = { inactive: [], pastes: [], websites: [], optedOut: [], ...more, breaches };
      world.accounts.set(typed.trim().toLowerCase(), account);
    },
    verifyDomain(domain: string): void {
      world.domains.add(domain);
    },
    /** The record of this domain is not found, so that it cannot be verified. */
    withholdRecord(domain: string): void {
      world.unpublished.add(domain);
    },
    /** Look-ups of this domain are answered with this body, whatever is known of it. */
    answerForDomain(domain: string, body: unknown): void {
      world.domainBodies.set(domain, body);
    },
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
