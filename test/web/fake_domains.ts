import type {
  Domain,
  DomainAddress,
  DomainAddressDetail,
  DomainBreach,
  DomainList,
  DomainOverview,
  DomainSource,
  PersonView,
  Say,
} from "../../web/api/domains_api.ts";
import { ago, alerts, DAY, HOUR } from "./fake_alerts.ts";

/** The fake server's domains; the calls of one domain concern the first. */
export type DomainScene = {
  domains: Domain[];
  allowance: DomainList["allowance"];
  overview: DomainOverview;
  addresses: DomainAddress[];
  sources: DomainSource[];
  /** Of the mailed link. */
  person: PersonView;
  /** Of the account's own address. */
  ownDomain: PersonView | null;
};

const TOKEN = "hK2mQ9xW4vB7nT1cR5yL8pJ3dF6gS0aZ";
const ADMINISTRATORS = [
  { name: "Alice Archer", email: "a…@example.com" },
  { name: "Bob Beacon", email: "b…@example.org" },
];

export function domain(more: Partial<Domain> = {}): Domain {
  return {
    id: "d1",
    name: "archer.example",
    proof: "dns",
    state: "proven",
    mailbox: null,
    record: { value: `breachbell-verification=${TOKEN}`, token: TOKEN },
    codeSent: false,
    createdAt: ago(20 * DAY),
    seenAt: ago(2 * DAY),
    provenAt: ago(19 * DAY),
    effectiveAt: null,
    failingSince: null,
    coverage: "covered",
    catchAll: true,
    roleSensitive: false,
    digest: "daily",
    tellPeople: false,
    language: "en",
    ...more,
  };
}

const UNPROVEN = { provenAt: null, seenAt: null } as const;

/** A claim that is to be proven by a code. */
export function byMail(more: Partial<Domain> = {}): Domain {
  return domain({ ...UNPROVEN, state: "pending", proof: "mail", mailbox: "security", record: null, ...more });
}

/** One claim in each state. */
function domains(): Domain[] {
  return [
    domain(),
    domain({ ...UNPROVEN, id: "d2", name: "a-very-long-name-of-a-company-that-needs-room.example", state: "pending" }),
    domain({ ...UNPROVEN, id: "d3", name: "contoso.example", state: "waiting", effectiveAt: ago(-2 * DAY) }),
    domain({ id: "d4", name: "fabrikam.example", proof: "file", state: "failing", failingSince: ago(DAY) }),
    byMail({ id: "d5", name: "tailspin.example", state: "ended" }),
    domain({ id: "d6", name: "xn--zrich-kva.example", proof: "meta", coverage: "suspended" }),
  ];
}

const breaches = () => alerts().flatMap(({ breach }) => breach ?? []);

export function overview(more: Partial<DomainOverview> = {}): DomainOverview {
  const found: DomainBreach[] = breaches().map((breach, place) => ({
    ...breach,
    addresses: 40 - place,
    latestAt: ago(place * DAY),
  }));
  return {
    counts: { person: 38, role: 4, alias: 1_250, untold: 12, withheld: 2 },
    limit: 1_000,
    isCut: true,
    administrators: ADMINISTRATORS,
    breaches: found,
    years: [
      { year: 2024, breaches: 3 },
      { year: 2021, breaches: 1 },
    ],
    ...more,
  };
}

function address(alias: string, more: Partial<DomainAddress> = {}): DomainAddress {
  return { alias, kind: "person", findings: 2, taken: false, allowed: false, ...more };
}

function addresses(): DomainAddress[] {
  return [
    address("adobe", { kind: "alias", findings: 1 }),
    address("alice.archer", { taken: true, allowed: true, findings: 5 }),
    address("bob", { taken: true }),
    address("info", { kind: "role" }),
    address("the-longest-name-of-a-mailbox-that-anyone-here-has-ever-given-it"),
  ];
}

function detailOf(stage: DomainScene, alias: string): DomainAddressDetail {
  const found = breaches().map((breach) => ({ ...breach, foundAt: ago(3 * DAY) }));
  const known = stage.addresses.find((one) => one.alias === alias) ?? address(alias);
  const leaker = known.kind === "alias" ? (found[0]?.name ?? null) : null;
  return { ...known, leaker, breaches: found, sites: ["login.contoso.example", "fabrikam.example"] };
}

function sources(): DomainSource[] {
  const unverified = { state: "unverified" as const, askedAt: ago(HOUR), reason: null };
  return [
    { source: "hibp", ...unverified, record: "have-i-been-pwned-verification=dweb_0123456789abcdef" },
    { source: "xposedornot", ...unverified, record: null },
    { source: "dataset", state: "answered", askedAt: ago(HOUR), reason: null, record: null },
    { source: "bundled", state: "trouble", askedAt: ago(HOUR), reason: "the status 503", record: null },
    { source: "another", state: "unasked", askedAt: null, reason: null, record: null },
  ];
}

export function person(more: Partial<PersonView> = {}): PersonView {
  const [alice] = ADMINISTRATORS;
  return {
    address: "dana@archer.example",
    domain: "archer.example",
    administrators: ADMINISTRATORS,
    say: "standard",
    taken: false,
    breaches: breaches().map((breach) => ({ ...breach, foundAt: ago(3 * DAY) })),
    sites: ["login.contoso.example"],
    looks: [
      { at: ago(HOUR), what: "address", by: alice ?? null },
      { at: ago(2 * HOUR), what: "list", by: alice ?? null },
      { at: ago(DAY), what: "file", by: null },
    ],
    ...more,
  };
}

export function domainScene(): DomainScene {
  return {
    domains: domains(),
    allowance: { active: true, domains: null, addresses: 1_000 },
    overview: overview(),
    addresses: addresses(),
    sources: sources(),
    person: person(),
    ownDomain: null,
  };
}

type Sent = { name: string; say: Say; alias: string; kind: DomainAddress["kind"]; after?: string; search?: string };

/** The calls about one domain, by what follows its id. */
function answerOne(stage: DomainScene, of: Domain, { call, sent }: { call: string; sent: Partial<Sent> }): unknown {
  const change = (more: Partial<Domain>) => {
    stage.domains = stage.domains.map((one) => (one.id === of.id ? { ...one, ...more } : one));
    return {};
  };
  const isFirstPage = sent.after === undefined;
  const listed = stage.addresses.filter(({ alias, kind }) => {
    return alias.includes(sent.search ?? "") && (sent.kind === undefined || kind === sent.kind);
  });
  const fixed: Record<string, () => unknown> = {
    "GET /": () => of,
    "PUT /": () => change(sent as Partial<Domain>),
    "PUT /proof": () => change(sent as Partial<Domain>),
    "DELETE /": () => {
      stage.domains = stage.domains.filter((one) => one !== of);
      return {};
    },
    "POST /check": () => ({ state: of.state, found: false, reason: null }),
    "POST /code": () => change({ codeSent: true }),
    "POST /code/confirm": () => {
      change({ state: "proven", provenAt: ago(0) });
      return { state: "proven" };
    },
    "GET /sources": () => ({ items: stage.sources }),
    "GET /overview": () => stage.overview,
    "POST /addresses/list": () => ({
      items: isFirstPage ? listed : [address("zoe")],
      next: isFirstPage && listed.length > 1 ? "z" : null,
    }),
    "POST /addresses/show": () => detailOf(stage, sent.alias ?? ""),
    "POST /addresses/file": () => ({ csv: "" }),
    "PUT /addresses": () => {
      stage.addresses = stage.addresses.map((one) =>
        one.alias === sent.alias ? { ...one, kind: sent.kind ?? one.kind } : one,
      );
      return {};
    },
    "POST /drill": () => ({}),
  };
  return call.startsWith("POST /sources/") ? {} : fixed[call]?.();
}

export function answerDomains(stage: DomainScene, call: string, body: unknown): unknown {
  const sent = (body ?? {}) as Partial<Sent>;
  const [, method = "", id = "", part = "/"] = /^(\w+) \/api\/domains\/(\w+)(\/.*)?$/.exec(call) ?? [];
  const of = stage.domains.find((one) => one.id === id);
  if (of) return answerOne(stage, of, { call: `${method} ${part}`, sent });
  const say = (view: PersonView | null) => {
    if (view && sent.say) Object.assign(view, { say: sent.say, taken: true });
    return {};
  };
  const fixed: Record<string, () => unknown> = {
    "GET /api/domains": () => ({ items: stage.domains, allowance: stage.allowance }),
    "POST /api/domains": () => {
      stage.domains = [...stage.domains, domain({ ...UNPROVEN, id: "d9", state: "pending", name: sent.name ?? "" })];
      return { id: "d9" };
    },
    "POST /api/domain-links/inspect": () => stage.person,
    "POST /api/domain-links/answer": () => say(stage.person),
    "GET /api/own-domain": () => ({ view: stage.ownDomain }),
    "PUT /api/own-domain": () => say(stage.ownDomain),
  };
  return fixed[call]?.();
}
