import { fail, ok, type Result } from "../shared/result.ts";
import { type Shown, shown } from "../shared/shown.ts";
import { coveredIds } from "./coverage.ts";
import { type Domain, isHeld } from "./domain.ts";
import type { Finding, FindingKind, MailboxKind } from "./finding.ts";
import type { DomainDeps, FoundByAlias, SourceState, SourceTrouble } from "./ports.ts";
import { isRole } from "./role_mailboxes.ts";

const HOUR_MS = 3_600_000;
/** Without a new breach, a source is asked whether it can answer now. */
const AGAIN_MS: Record<SourceState["state"], number> = {
  unasked: 0,
  answered: HOUR_MS,
  unverified: 6 * HOUR_MS,
  trouble: HOUR_MS,
};
/** Domains that a source is asked about in one run. */
const BATCH = 100;
/** Findings in one transaction, as transactions are short. */
const TOGETHER = 2000;
/** The longest name of a mailbox (RFC 5321). */
const LONGEST_ALIAS = 64;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** How far the sources know a domain; instants in ISO 8601. */
export type SourceView = Shown<Pick<SourceState, "source" | "state" | "askedAt" | "reason" | "record">>;

/** Asks the sources about domains, and stores what they find. */
export function asking(deps: DomainDeps) {
  const { transaction, sources, allowance, breachFacts, now, report } = deps;

  function findingsIn({ byAlias }: FoundByAlias, kind: FindingKind): Finding[] {
    return [...byAlias].flatMap(([alias, names]) =>
      isMailbox(alias) ? [...new Set(names)].map((name) => ({ alias, kind, name })) : [],
    );
  }

  /**
   * Without breaches that the catalogue does not have yet, as they may be sensitive: once it has them, the domain is asked about
   * again.
   */
  async function known(findings: Finding[]): Promise<Finding[]> {
    const facts = await breachFacts.of([...new Set(findings.map(({ name }) => name))]);
    return findings.filter(({ name }) => facts.has(name));
  }

  /** Stores findings by set operations, many at a time; repeating it after a crash adds only what is missing. */
  async function store(name: string, findings: Finding[]): Promise<void> {
    const sensitive = await breachFacts.sensitiveNames();
    await transaction(async ({ domains, findings: stored }) => {
      await domains.lockName(name);
      await stored.markSensitive(name, sensitive);
    });
    for (let start = 0; start < findings.length; start += TOGETHER) {
      const some = findings.slice(start, start + TOGETHER);
      const kinds: Record<string, MailboxKind> = {};
      for (const { alias } of some) if (isRole(alias)) kinds[alias] = "role";
      await transaction(async ({ domains, findings: stored }) => {
        await domains.lockName(name);
        const claims = (await domains.listByName(name)).filter(isHeld);
        if (claims.length === 0) return;
        const otherwise = claims.some(({ catchAll }) => catchAll) ? "alias" : "person";
        await stored.add(name, some, { sensitive, kinds, otherwise, at: now() });
      });
    }
    await transaction(async ({ domains, findings: stored }) => {
      await domains.lockName(name);
      await stored.summarise(name);
      await domains.wake(name, now());
    });
  }

  async function save(state: SourceState): Promise<void> {
    await transaction(async ({ domains, sources: states }) => {
      await domains.lockName(state.domain);
      // Its last holder may have left meanwhile.
      if ((await domains.listByName(state.domain)).some(isHeld)) await states.save(state);
      else await states.remove(state.domain);
    });
  }

  const after = (ms: number) => new Date(now().getTime() + ms);

  async function noteTrouble(state: SourceState, trouble: SourceTrouble): Promise<void> {
    const isWait = trouble.kind === "later" && trouble.isRateLimit === true;
    const dueAt = after(trouble.kind === "later" ? trouble.afterMs : AGAIN_MS.trouble);
    await save(isWait ? { ...state, dueAt } : { ...state, state: "trouble", reason: trouble.reason, dueAt });
  }

  /** Asks one source about one domain. */
  async function ask(state: SourceState, generation: number): Promise<void> {
    const { domain, source } = state;
    const found = await sources.breachesOf(source, domain);
    if (found.kind === "unverified") return askForVerification(state);
    if (found.kind !== "found") return noteTrouble(state, found);
    const sites = await sources.sitesOf(source, domain);
    const isLater = sites.kind === "later" || sites.kind === "misconfigured";
    await store(domain, [
      ...(await known(findingsIn(found, "breach"))),
      ...(sites.kind === "found" ? findingsIn(sites, "site") : []),
    ]);
    if (found.leftOut > 0)
      report(new Error(`${source} names addresses that cannot be read`), { job: "domain-findings" });
    const answered = { ...state, state: "answered" as const, reason: undefined, record: undefined, askedAt: now() };
    // The sites have a budget of their own; until they are read, the generation counts as not asked.
    if (isLater && sites.kind === "later")
      await save({ ...answered, generation: undefined, dueAt: after(sites.afterMs) });
    else await save({ ...answered, generation, dueAt: after(AGAIN_MS.answered) });
  }

  /** The source has not verified the domain: asks it for the record that the holder can publish. */
  async function askForVerification(state: SourceState): Promise<void> {
    const { domain, source } = state;
    const unverified = { ...state, state: "unverified" as const, askedAt: now(), dueAt: after(AGAIN_MS.unverified) };
    if (state.record === undefined) {
      const begun = await sources.startVerification(source, domain);
      if (begun.kind === "later" || begun.kind === "misconfigured") return noteTrouble(state, begun);
      const record = begun.kind === "record" ? begun.value : undefined;
      return save({ ...unverified, reason: undefined, record });
    }
    const finished = await sources.finishVerification(source, domain);
    if (finished.kind === "later" || finished.kind === "misconfigured") return noteTrouble(state, finished);
    await save({ ...unverified, ...(finished.kind === "verified" && { dueAt: now(), record: undefined }) });
  }

  function stateOf(known: SourceState | undefined, domain: string, source: string): SourceState {
    const unasked = { state: "unasked" as const, generation: undefined, askedAt: undefined, reason: undefined };
    return known ?? { domain, source, ...unasked, dueAt: now(), record: undefined };
  }

  /** Domains whose plan has ended are not asked about. */
  async function isCovered(name: string): Promise<boolean> {
    const claims = (await transaction(({ domains }) => domains.listByName(name))).filter(isHeld);
    for (const { id, accountId } of claims) {
      const all = await transaction(({ domains }) => domains.list(accountId));
      if (coveredIds(all, await allowance.of(accountId)).has(id)) return true;
    }
    return false;
  }

  /** False when there was nothing to ask. */
  async function askIfNew(state: SourceState): Promise<boolean> {
    const { domain, source } = state;
    // Sources that were configured after the proof.
    const isStillHeld = await transaction(async ({ domains, sources: states }) => {
      await domains.lockName(domain);
      const isOne = (await domains.listByName(domain)).some(isHeld);
      if (isOne) await states.addMissing(domain, sources.names(), now());
      else await states.remove(domain);
      return isOne;
    });
    if (!isStillHeld) return false;
    const generation = await sources.generationOf(source);
    const isKnown = state.state === "answered" && state.generation === generation;
    if (isKnown || !(await isCovered(domain))) {
      // The source is not asked any more, so its trouble may be over.
      const rest = state.state === "trouble" ? { ...state, state: "unasked" as const, reason: undefined } : state;
      await save({ ...rest, dueAt: after(AGAIN_MS.answered) });
      return false;
    }
    await ask(state, generation);
    return true;
  }

  return {
    /** The job: asks each source about the domains that are due. Returns how many questions were asked. */
    async askSources(isOver: () => boolean = () => false): Promise<number> {
      let asked = 0;
      for (const source of sources.names()) {
        const due = await transaction((store) => store.sources.listDue(source, now(), BATCH));
        for (const state of due) {
          if (isOver()) return asked;
          try {
            if (await askIfNew(state)) asked += 1;
          } catch (error) {
            report(error, { job: "domain-findings", source });
            await save({ ...state, dueAt: after(AGAIN_MS.trouble) });
          }
        }
      }
      return asked;
    },

    /** Called by breaches while a list is imported: the domains whose addresses are to be passed on. */
    heldDomains: async (): Promise<ReadonlySet<string>> =>
      new Set(await transaction(({ domains }) => domains.listHeldNames())),

    /** Called by breaches: findings of a list that is being imported. Repetitions change nothing. */
    async addImported(found: { domain: string; alias: string; breachName: string }[]): Promise<void> {
      for (const [name, some] of Map.groupBy(found, ({ domain }) => domain))
        await store(
          name,
          some.map(({ alias, breachName }) => ({ alias, kind: "breach", name: breachName })),
        );
    },

    /** For staff: why sources last gave no answer about domains. */
    async sourceTroubles(): Promise<{ source: string; reason: string; domains: number }[]> {
      const troubles = await transaction((store) => store.sources.countTroubles());
      return troubles.filter(({ source }) => sources.names().includes(source));
    },

    /** How far each source knows the domain. */
    async sourcesOf(accountId: string, id: string): Promise<Result<{ items: SourceView[] }, "NOT_FOUND">> {
      const found = await transaction(async ({ domains, sources: states }) => {
        const domain: Domain | undefined = await domains.find(accountId, id);
        return domain && { domain, known: isHeld(domain) ? await states.list(domain.name) : [] };
      });
      if (!found) return fail("NOT_FOUND");
      const items = sources.names().map((source): SourceView => {
        const known = found.known.find((one) => one.source === source);
        const { state, askedAt, reason, record } = stateOf(known, found.domain.name, source);
        return shown({ source, state, askedAt, reason, record });
      });
      return ok({ items });
    },

    /** The holder has published the record of a source: it is asked at the next run of the job. */
    async askSourceAgain(accountId: string, id: string, source: string): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async ({ domains, sources: states }) => {
        const domain = await domains.find(accountId, id);
        const state = domain && isHeld(domain) ? await states.find(domain.name, source) : undefined;
        if (!state) return fail("NOT_FOUND");
        if (state.state !== "answered") await states.save({ ...state, dueAt: now() });
        return ok();
      });
    },
  };
}

function isMailbox(alias: string): boolean {
  return alias.length <= LONGEST_ALIAS && LOCAL_PART.test(alias);
}
