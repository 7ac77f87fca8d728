import { createHash } from "node:crypto";
import { errorAnswer, jsonAnswer, type PeerAnswer, textAnswer } from "./hibp_peer_failures.ts";

/** A catalogue entry with HIBP's keys; a test may override any of them. */
export type PeerEntry = { Name: string } & Record<string, unknown>;
export type PeerPaste = { Source: string; Id: string; Title?: string; Date: string | null; EmailCount: number };
export type PeerAccount = {
  /** Stored breaches; sensitive and retired ones are never returned. */
  breaches: string[];
  /** Stored in inactive breaches: never returned either. */
  inactive: string[];
  pastes: PeerPaste[];
  /** Sites in stealer logs. */
  websites: string[];
  optedOut: ("breaches" | "pastes")[];
};
export type PeerSubscription = {
  SubscriptionName: string;
  Description: string;
  SubscribedUntil: string;
  Rpm: number;
  DomainSearchMaxBreachedAccounts: number | null;
  MaxBreachedDomains: number | null;
  IncludesStealerLogs: boolean;
  IncludesBulkDomainAdd: boolean;
  IncludesAutoSubdomainVerification: boolean;
  IncludesCustomerDomains: boolean;
  IncludesKAnon: boolean;
};
export type PeerWorld = {
  entries: PeerEntry[];
  accounts: Map<string, PeerAccount>;
  subscription: PeerSubscription | undefined;
  /** Domains verified by the key's owner. */
  domains: Set<string>;
  /** Domains whose TXT record is not published. */
  unpublished: Set<string>;
  /** Bodies to answer for a domain in place of the right one. */
  domainBodies: Map<string, unknown>;
  /** Rows of other addresses in every range response. */
  strangers: number;
  suffixCase: "upper" | "lower";
};
export type PeerRequest = {
  method: string;
  segments: string[];
  query: URLSearchParams;
  body: string;
  testKey: boolean;
};

const TEST_DOMAIN = "@hibp-integration-tests.com";
const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();
const notFound = errorAnswer(404, "Not found");
const invalidKey = errorAnswer(401, "Access denied due to invalid hibp-api-key.");
const noAccess = "Your HIBP API key does not have access to this resource";

function parameter(query: URLSearchParams, name: string): string | undefined {
  for (const [key, value] of query) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** The entries that a public search may return for an account. */
function toldOf(world: PeerWorld, account: PeerAccount | undefined): PeerEntry[] {
  if (account === undefined || account.optedOut.includes("breaches")) return [];
  return world.entries.filter(
    (entry) => account.breaches.includes(entry.Name) && entry.IsSensitive !== true && entry.IsRetired !== true,
  );
}

function breachedAccount(world: PeerWorld, { segments, query, testKey }: PeerRequest): PeerAnswer {
  const address = (segments[1] ?? "").trim().toLowerCase();
  if (address === "") return errorAnswer(400, "The account was empty");
  if (testKey && !address.endsWith(TEST_DOMAIN)) return invalidKey;
  const domain = parameter(query, "domain");
  const told = toldOf(world, world.accounts.get(address))
    .filter((entry) => domain === undefined || entry.Domain === domain)
    .filter((entry) => parameter(query, "includeunverified") !== "false" || entry.IsVerified === true);
  if (told.length === 0) return notFound;
  const full = parameter(query, "truncateresponse") === "false";
  return jsonAnswer(200, full ? told : told.map(({ Name }) => ({ Name })));
}

function range(world: PeerWorld, { segments, testKey }: PeerRequest): PeerAnswer {
  const prefix = segments[2] ?? "";
  if (world.subscription?.IncludesKAnon !== true) return textAnswer(403, noAccess);
  if (!/^[0-9a-f]{6}$/i.test(prefix)) return textAnswer(400, "Invalid hex prefix");
  const rows = [...world.accounts]
    .filter(([address]) => !testKey || address.endsWith(TEST_DOMAIN))
    .map(([address, account]) => ({ hash: sha1(address), websites: toldOf(world, account).map(({ Name }) => Name) }))
    .filter(({ hash, websites }) => hash.startsWith(prefix.toUpperCase()) && websites.length > 0)
    .map(({ hash, websites }) => ({ hashSuffix: hash.slice(6), websites }));
  for (let i = 0; i < world.strangers; i++) {
    rows.push({ hashSuffix: sha1(`stranger ${i} ${prefix}`).slice(6), websites: ["LinkedIn", "MySpace"] });
  }
  if (rows.length === 0) return textAnswer(404, "There are no hashes beginning with that prefix");
  const cased = rows.map((row) =>
    world.suffixCase === "lower" ? { ...row, hashSuffix: row.hashSuffix.toLowerCase() } : row,
  );
  return jsonAnswer(
    200,
    cased.sort((a, b) => a.hashSuffix.localeCompare(b.hashSuffix)),
  );
}

function breaches({ entries }: PeerWorld, { query }: PeerRequest): PeerAnswer {
  const domain = parameter(query, "domain");
  const spamList = parameter(query, "isspamlist");
  return jsonAnswer(
    200,
    entries
      .filter((entry) => domain === undefined || entry.Domain === domain)
      .filter((entry) => spamList === undefined || String(entry.IsSpamList) === spamList),
  );
}

function breach({ entries }: PeerWorld, { segments }: PeerRequest): PeerAnswer {
  const found = entries.find((entry) => entry.Name.toLowerCase() === segments[1]?.toLowerCase());
  return found ? jsonAnswer(200, found) : notFound;
}

function latestBreach({ entries }: PeerWorld): PeerAnswer {
  const added = (entry: PeerEntry) => String(entry.AddedDate);
  return jsonAnswer(
    200,
    entries.reduce((latest, entry) => (added(entry) > added(latest) ? entry : latest)),
  );
}

function dataClasses({ entries }: PeerWorld): PeerAnswer {
  const labels = new Set(
    entries.flatMap((entry) => (Array.isArray(entry.DataClasses) ? entry.DataClasses.map(String) : [])),
  );
  return jsonAnswer(
    200,
    [...labels].sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())),
  );
}

function pasteAccount({ accounts }: PeerWorld, { segments, testKey }: PeerRequest): PeerAnswer {
  const address = (segments[1] ?? "").trim().toLowerCase();
  if (!address.includes("@")) return errorAnswer(400, "The account was not an email address");
  if (testKey && !address.endsWith(TEST_DOMAIN)) return invalidKey;
  const account = accounts.get(address);
  if (!account || account.pastes.length === 0 || account.optedOut.includes("pastes")) return notFound;
  return jsonAnswer(200, account.pastes);
}

/** The accounts of a verified domain by alias; its owner also sees sensitive breaches. */
function ofDomain(world: PeerWorld, { segments }: PeerRequest, told: (account: PeerAccount) => string[]): PeerAnswer {
  const domain = segments[1]?.toLowerCase() ?? "";
  if (!world.domains.has(domain)) return errorAnswer(403, "The domain is not verified");
  if (world.domainBodies.has(domain)) return jsonAnswer(200, world.domainBodies.get(domain));
  const aliases = [...world.accounts]
    .filter(([address, account]) => address.endsWith(`@${domain}`) && told(account).length > 0)
    .map(([address, account]) => [address.slice(0, address.lastIndexOf("@")), told(account)]);
  const most = world.subscription?.DomainSearchMaxBreachedAccounts ?? Number.POSITIVE_INFINITY;
  if (aliases.length > most) return errorAnswer(403, "The domain is larger than the subscription");
  return aliases.length === 0 ? notFound : jsonAnswer(200, Object.fromEntries(aliases));
}

const withStealerLogs =
  (answer: (world: PeerWorld, request: PeerRequest) => PeerAnswer) =>
  (world: PeerWorld, request: PeerRequest): PeerAnswer =>
    world.subscription?.IncludesStealerLogs === true || request.testKey
      ? answer(world, request)
      : errorAnswer(403, noAccess);

const stealerLogsByEmail = withStealerLogs(({ accounts, domains }, { segments, testKey }) => {
  const address = (segments[1] ?? "").trim().toLowerCase();
  if (testKey && !address.endsWith(TEST_DOMAIN)) return invalidKey;
  if (!testKey && !domains.has(address.slice(address.lastIndexOf("@") + 1)))
    return errorAnswer(403, "The domain is not verified");
  const websites = accounts.get(address)?.websites ?? [];
  return websites.length === 0 ? notFound : jsonAnswer(200, websites.toSorted());
});

const stealerLogsByWebsite = withStealerLogs(({ accounts, domains }, { segments }) => {
  const website = segments[1]?.toLowerCase() ?? "";
  if (!domains.has(website)) return errorAnswer(403, "The domain is not verified");
  const addresses = [...accounts].flatMap(([address, account]) =>
    account.websites.includes(website) ? [address] : [],
  );
  return addresses.length === 0 ? notFound : jsonAnswer(200, addresses.sort());
});

function subscribedDomains({ domains }: PeerWorld): PeerAnswer {
  const unknown = {
    PwnCount: null,
    PwnCountExcludingSpamLists: null,
    PwnCountExcludingSpamListsAtLastSubscriptionRenewal: null,
  };
  return jsonAnswer(
    200,
    [...domains].map((DomainName) => ({ DomainName, ...unknown, NextSubscriptionRenewal: null })),
  );
}

function domainVerification(
  { domains, unpublished, subscription }: PeerWorld,
  { segments, body }: PeerRequest,
): PeerAnswer {
  const denied =
    "Your subscription does not have permission to add domains. Please contact support if you believe this is an error.";
  if (subscription?.MaxBreachedDomains === 0) return jsonAnswer(403, { message: denied });
  let asked: { DomainName?: unknown; EmailAlias?: unknown };
  try {
    asked = { ...JSON.parse(body) };
  } catch {
    return jsonAnswer(400, { message: "Invalid JSON" });
  }
  const { DomainName: domain, EmailAlias: alias } = asked;
  if (typeof domain !== "string" || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain)) {
    return jsonAnswer(400, { message: "An invalid domain was provided with the request" });
  }
  if (domains.has(domain)) return jsonAnswer(400, { message: "Domain has already been verified." });
  const step = segments[1]?.toLowerCase();
  if (step === "generatednstoken")
    return jsonAnswer(200, { txtRecordValue: `have-i-been-pwned-verification=${sha1(domain)}` });
  if (step === "sendemail" && typeof alias !== "string") {
    return jsonAnswer(400, { message: "No emailAlias field was passed in the request body." });
  }
  if (step === "verifydnstoken") {
    if (unpublished.has(domain)) return jsonAnswer(404, { message: "The TXT record was not found" });
    domains.add(domain);
  }
  return { status: 200, headers: {}, body: "" };
}

type Route = { keyed: boolean; answer: (world: PeerWorld, request: PeerRequest) => PeerAnswer };

/** Every API call by method and path; the number of path segments distinguishes them. */
export const HIBP_ROUTES: Record<string, Route> = {
  "GET breaches": { keyed: false, answer: breaches },
  "GET breach/*": { keyed: false, answer: breach },
  "GET latestbreach": { keyed: false, answer: latestBreach },
  "GET dataclasses": { keyed: false, answer: dataClasses },
  "GET breachedaccount/*": { keyed: true, answer: breachedAccount },
  "GET breachedaccount/range/*": { keyed: true, answer: range },
  "GET pasteaccount/*": { keyed: true, answer: pasteAccount },
  "GET breacheddomain/*": {
    keyed: true,
    answer: (world, request) => ofDomain(world, request, ({ breaches }) => breaches),
  },
  "GET subscribeddomains": { keyed: true, answer: subscribedDomains },
  "GET subscription/status": {
    keyed: true,
    answer: ({ subscription }) =>
      subscription ? jsonAnswer(200, subscription) : errorAnswer(404, "No active subscription found."),
  },
  "GET stealerlogsbyemail/*": { keyed: true, answer: stealerLogsByEmail },
  "GET stealerlogsbywebsitedomain/*": { keyed: true, answer: stealerLogsByWebsite },
  "GET stealerlogsbyemaildomain/*": {
    keyed: true,
    answer: withStealerLogs((world, request) => ofDomain(world, request, ({ websites }) => websites)),
  },
  "POST domainverification/generatednstoken": { keyed: true, answer: domainVerification },
  "POST domainverification/verifydnstoken": { keyed: true, answer: domainVerification },
  "POST domainverification/sendemail": { keyed: true, answer: domainVerification },
};
