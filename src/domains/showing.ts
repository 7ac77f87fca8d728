import type { BreachFacts } from "../shared/breach.ts";
import { figuresOf } from "../shared/exposure_figures.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { claimantsOf, coveredIds } from "./coverage.ts";
import { type Domain, isHeld } from "./domain.ts";
import {
  isOpen,
  type Mailbox,
  type MailboxKind,
  type Sight,
  type StoredFinding,
  shownCount,
  showsSensitive,
} from "./finding.ts";
import { leakerOf } from "./leaker.ts";
import { administratorView } from "./mails.ts";
import type {
  Allowance,
  DomainDeps,
  DomainStore,
  ListedMailbox,
  LookKind,
  MailboxCounts,
  MailboxFilter,
} from "./ports.ts";

export const ADDRESSES_PER_PAGE = 50;

export type Refusal = "NOT_FOUND" | "DOMAIN_UNPROVEN" | "USER_INACTIVE";

/** An address as its administrator sees it; `findings`: as many as are shown. */
export type AddressView = {
  alias: string;
  kind: MailboxKind;
  findings: number;
  /** Its person has taken it over, or allows sensitive findings as well. */
  taken: boolean;
  allowed: boolean;
};
export type AddressPage = { items: AddressView[]; next: string | null };

export type AddressDetail = AddressView & {
  /** The breach whose service the address was made for. */
  leaker: string | null;
  breaches: (BreachFacts & { foundAt: string })[];
  sites: string[];
};

export type DomainOverview = {
  counts: MailboxCounts;
  /** How many addresses the plan covers; null without a limit. */
  limit: number | null;
  /** There are more addresses than the plan covers. */
  isCut: boolean;
  administrators: { name: string; email: string }[];
  breaches: (BreachFacts & { addresses: number; latestAt: string })[];
  /** Breaches by the year in which they happened, the latest first. */
  years: { year: number; breaches: number }[];
};

/** A domain that its account may look at, and how much of it. */
type Sighted = { domain: Domain; allowed: Allowance };

/** What an administrator sees of a domain. Each look is noted, for the people to read. */
export function showing(deps: DomainDeps) {
  const { transaction, allowance, accounts, breachFacts, now } = deps;

  async function sightOf(accountId: string, id: string): Promise<Result<Sighted, Refusal>> {
    const all = await transaction(({ domains }) => domains.list(accountId));
    const domain = all.find((one) => one.id === id);
    if (!domain) return fail("NOT_FOUND");
    if (!isHeld(domain)) return fail("DOMAIN_UNPROVEN");
    const allowed = await allowance.of(accountId);
    return coveredIds(all, allowed).has(id) ? ok({ domain, allowed }) : fail("USER_INACTIVE");
  }

  async function note({ looks }: DomainStore, { name, accountId }: Domain, what: LookKind, alias?: string) {
    await looks.add({ domain: name, accountId, what, alias, at: now() });
  }

  /** The last address that the plan covers; undefined when it covers all. */
  function lastCovered({ findings }: DomainStore, { domain, allowed }: Sighted): Promise<string | undefined> {
    if (allowed.addresses === null) return Promise.resolve(undefined);
    return findings.lastCovered(domain.name, domain, allowed.addresses);
  }

  const isBeyond = (alias: string, last: string | undefined) => last !== undefined && alias > last;

  async function administratorsOf(name: string) {
    const held = (await transaction(({ domains }) => domains.listByName(name))).filter(isHeld);
    return [...(await claimantsOf(accounts, held)).values()].map(administratorView);
  }

  async function pageOf(
    store: DomainStore,
    sighted: Sighted,
    { after, ...filter }: MailboxFilter & { after: string | undefined },
  ): Promise<{ items: ListedMailbox[]; next: string | null }> {
    const { domain } = sighted;
    const { roleSensitive } = domain;
    const limit = ADDRESSES_PER_PAGE + 1;
    const last = await lastCovered(store, sighted);
    const found = await store.findings.page(domain.name, { roleSensitive, filter, after, limit });
    const items = found.filter(({ alias }) => !isBeyond(alias, last));
    const page = items.slice(0, ADDRESSES_PER_PAGE);
    return { items: page, next: items.length > ADDRESSES_PER_PAGE ? (page.at(-1)?.alias ?? null) : null };
  }

  async function* pagesOf(sighted: Sighted, filter: MailboxFilter): AsyncGenerator<DomainRow[]> {
    const { domain } = sighted;
    for (let after: string | undefined; ; ) {
      const { items, next, findings } = await transaction(async (store) => {
        const page = await pageOf(store, sighted, { ...filter, after });
        const aliases = page.items.map(({ alias }) => alias);
        return { ...page, findings: await store.findings.listOf(domain.name, aliases) };
      });
      const names = findings.flatMap(({ kind, name }) => (kind === "breach" ? [name] : []));
      const facts = await breachFacts.of([...new Set(names)]);
      const byAlias = Map.groupBy(findings, ({ alias }) => alias);
      yield items.map((item) => rowOf(item, byAlias.get(item.alias) ?? [], { domain, facts, now: now() }));
      if (next === null) return;
      after = next;
    }
  }

  return {
    /** Counts, breaches and figures of a domain, and who else administers it. */
    async showOverview(accountId: string, id: string): Promise<Result<DomainOverview, Refusal>> {
      const seen = await sightOf(accountId, id);
      if (!seen.ok) return seen;
      const { domain, allowed } = seen.value;
      const { counts, listed, last } = await transaction(async (store) => ({
        counts: await store.findings.counts(domain.name, domain),
        listed: await store.findings.breaches(domain.name, domain),
        last: await lastCovered(store, seen.value),
      }));
      const facts = await breachFacts.of(listed.map(({ name }) => name));
      const breaches = listed.flatMap(({ name, addresses, latestAt }) => {
        const known = facts.get(name);
        return known ? [{ ...known, addresses, latestAt: latestAt.toISOString() }] : [];
      });
      return ok({
        counts,
        limit: allowed.addresses,
        isCut: last !== undefined,
        administrators: await administratorsOf(domain.name),
        breaches,
        years: figuresOf(breaches.map((breach) => ({ ...breach, open: null }))).years.map(({ year, breaches }) => ({
          year,
          breaches,
        })),
      });
    },

    /** A page of addresses, in alphabetical order, after that alias. */
    async listDomainAddresses(
      accountId: string,
      id: string,
      asked: MailboxFilter & { after: string | undefined },
    ): Promise<Result<AddressPage, Refusal>> {
      const seen = await sightOf(accountId, id);
      if (!seen.ok) return seen;
      return transaction(async (store) => {
        const { items, next } = await pageOf(store, seen.value, asked);
        await note(store, seen.value.domain, "list");
        return ok({ items: items.map(addressView), next });
      });
    },

    /** One address with its findings. */
    async showDomainAddress(accountId: string, id: string, alias: string): Promise<Result<AddressDetail, Refusal>> {
      const seen = await sightOf(accountId, id);
      if (!seen.ok) return seen;
      const { domain } = seen.value;
      const found = await transaction(async (store) => {
        const mailbox = await store.findings.findMailbox(domain.name, alias);
        const isHidden = !mailbox || shownCount(mailbox, domain) === 0;
        if (isHidden || isBeyond(alias, await lastCovered(store, seen.value))) return undefined;
        await note(store, domain, "address", alias);
        return { mailbox, shown: shownOf(mailbox, await store.findings.listOf(domain.name, [alias]), domain) };
      });
      if (!found) return fail("NOT_FOUND");
      const { mailbox, shown } = found;
      const facts = await breachFacts.of(shown.flatMap(({ kind, name }) => (kind === "breach" ? [name] : [])));
      const breaches = shown.flatMap(({ kind, name, foundAt }) => {
        const known = kind === "breach" ? facts.get(name) : undefined;
        return known ? [{ ...known, foundAt: foundAt.toISOString() }] : [];
      });
      return ok({
        ...addressView({ ...mailbox, shown: shown.length }),
        leaker: leakerOf(alias, breaches) ?? null,
        breaches,
        sites: shown.flatMap(({ kind, name }) => (kind === "site" ? [name] : [])).toSorted(),
      });
    },

    /** A person or an alias; functions are known by their names. Only where all addresses reach one mailbox. */
    async markDomainAddress(
      accountId: string,
      id: string,
      { alias, kind }: { alias: string; kind: "person" | "alias" },
    ): Promise<Result<undefined, Refusal>> {
      const seen = await sightOf(accountId, id);
      if (!seen.ok) return seen;
      const { domain } = seen.value;
      return transaction(async (store) => {
        const { domains, findings } = store;
        await domains.lockName(domain.name);
        const mailbox = await findings.findMailbox(domain.name, alias);
        // Nothing is told of an address that is not shown.
        if (!mailbox || shownCount(mailbox, domain) === 0) return fail("NOT_FOUND");
        if (isBeyond(alias, await lastCovered(store, seen.value))) return fail("NOT_FOUND");
        const mayMark = mailbox.kind !== "role" && mailbox.takenAt === undefined;
        if (!mayMark || (kind === "alias" && !domain.catchAll)) return fail("NOT_FOUND");
        await findings.setKind(domain.name, alias, kind);
        await findings.summarise(domain.name);
        await domains.wake(domain.name, now());
        return ok();
      });
    },

    /** All pages in turn, for a file; noted as one look. */
    async everyAddress(
      accountId: string,
      id: string,
      filter: MailboxFilter,
    ): Promise<Result<{ domain: string; pages: AsyncGenerator<DomainRow[]> }, Refusal>> {
      const seen = await sightOf(accountId, id);
      if (!seen.ok) return seen;
      const sighted = seen.value;
      const { domain } = sighted;
      await transaction((store) => note(store, domain, "file"));
      return ok({ domain: domain.name, pages: pagesOf(sighted, filter) });
    },
  };
}

/** An address with everything that is shown of it. */
export type DomainRow = {
  alias: string;
  kind: MailboxKind;
  breaches: BreachFacts[];
  sites: string[];
  leaker: string | undefined;
};

/** The findings of an address that are shown. */
function shownOf(
  mailbox: Pick<Mailbox, "kind" | "say" | "toldAt" | "takenAt">,
  all: StoredFinding[],
  sight: Sight,
): StoredFinding[] {
  if (!isOpen(mailbox)) return [];
  return all.filter(({ sensitive }) => !sensitive || showsSensitive(mailbox, sight));
}

/** A row of an address that is listed, so its person has been told. */
function rowOf(
  { alias, kind, say, takenAt }: ListedMailbox,
  all: StoredFinding[],
  { domain, facts, now }: { domain: Domain; facts: Map<string, BreachFacts>; now: Date },
): DomainRow {
  const shown = shownOf({ kind, say, takenAt, toldAt: now }, all, domain);
  const breaches = shown.flatMap(({ kind, name }) => (kind === "breach" ? (facts.get(name) ?? []) : []));
  const sites = shown.flatMap(({ kind, name }) => (kind === "site" ? [name] : []));
  return { alias, kind, breaches, sites, leaker: leakerOf(alias, breaches) };
}

function addressView({ alias, kind, shown, say, takenAt }: ListedMailbox): AddressView {
  return {
    alias,
    kind,
    findings: shown,
    taken: takenAt !== undefined,
    allowed: say === "all",
  };
}
