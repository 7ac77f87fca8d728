import type { EventOf } from "../../events/catalogue.ts";
import { normaliseEmail } from "../../shared/email_address.ts";
import { type Failure, fail, ok, type Result } from "../../shared/result.ts";
import { secureLink } from "../catalogue/secure_link.ts";
import type { BreachDeps, Paste, SourceTrouble, Subscription, Trace, TraceAnswer, TraceSource } from "../ports.ts";
import { isRateLimit, isTrouble } from "../scanning/sources.ts";
import { ownsAddress } from "./own_address.ts";
import { byWeight } from "./site_weight.ts";

const MINUTE_MS = 60_000;
/** An address may be asked about this often. */
const ASK_EVERY_MS = 60 * MINUTE_MS;
/** Longer than a request to the source takes with all its waits. */
const CLAIM_MS = 3 * MINUTE_MS;
/** The total wait for the source's rate limit. */
const LONGEST_WAIT_MS = 20_000;
const MOST_PASTES = 1000;
const MOST_SITES = 1000;

type MonitoringRefusal = "MONITORING_NOT_AUTHORISED" | "MONITORING_SUSPENDED" | "INVITATION_PENDING";
type Offers = { pastes: boolean; sites: boolean };
type Asked = Omit<TraceAnswer, "askedAt">;

/** Pastes and stealer logs of an account's own address; instants in ISO 8601. */
export type TracesView = {
  address: string;
  /** Null if no source knows of any. */
  source: string | null;
  /** Whether asking sends the address to the source in clear. */
  sendsAddress: boolean;
  /** What the source can be asked for. */
  offers: Offers;
  /** When it was last asked, and what it said: null for what it did not say. */
  askedAt: string | null;
  pastes: { source: string; url: string | null; title: string | null; date: string | null; addresses: number }[] | null;
  /** In the order in which their passwords are best changed. */
  sites: { site: string; done: boolean }[] | null;
  sitesRefused: boolean;
  /** Null when it may be asked now. */
  askAgainAt: string | null;
};

/** A source's trouble as a failure. */
function unavailable(trouble: SourceTrouble): Failure<"SOURCE_UNAVAILABLE"> {
  return fail("SOURCE_UNAVAILABLE", { retryAfter: Math.ceil(restOf(trouble) / 1000) });
}

function restOf(trouble: SourceTrouble): number {
  const afterMs = trouble.kind === "later" ? trouble.afterMs : MINUTE_MS;
  return Math.min(ASK_EVERY_MS, Math.max(MINUTE_MS, afterMs));
}

/** Pastes and stealer logs, which a source is asked about only on its owner's request. */
export function traces(deps: BreachDeps) {
  const { transaction, monitoringAccess, feeds, now, report } = deps;
  const feed = feeds.find((one) => one.traces !== undefined);
  const source = feed?.traces;

  /** Only the account's own, proven address; for any other the answer is that of an unknown page. */
  async function ownAddress(accountId: string, typed: string): Promise<Result<string, MonitoringRefusal>> {
    const address = normaliseEmail(typed);
    if (address === undefined || !(await ownsAddress(deps, accountId, address)))
      return fail("MONITORING_NOT_AUTHORISED");
    const access = await monitoringAccess.of(accountId, address);
    return access.ok ? ok(address) : access;
  }

  async function offers(): Promise<({ kind: "offers" } & Offers) | SourceTrouble> {
    const known = await source?.subscription();
    if (known === undefined) return { kind: "offers", pastes: false, sites: false };
    if (known.kind !== "subscription") return known;
    return { kind: "offers", pastes: true, sites: known.subscription?.stealerLogs ?? true };
  }

  async function shown(accountId: string, address: string): Promise<TracesView> {
    const offered = await offers();
    const trace = await transaction((store) => store.traces.find(accountId, address));
    return {
      address,
      source: feed?.source ?? null,
      sendsAddress: source?.sendsAddress ?? false,
      offers: isTrouble(offered) ? { pastes: false, sites: false } : { pastes: offered.pastes, sites: offered.sites },
      ...answerOf(trace),
      askAgainAt: trace && trace.againAt > now() ? trace.againAt.toISOString() : null,
    };
  }

  return {
    /** What is known, without asking the source. */
    async showTraces(accountId: string, typed: string): Promise<Result<TracesView, MonitoringRefusal>> {
      const own = await ownAddress(accountId, typed);
      return own.ok ? ok(await shown(accountId, own.value)) : own;
    },

    async askTraces(
      accountId: string,
      typed: string,
    ): Promise<Result<TracesView, MonitoringRefusal | "NOT_FOUND" | "TRACES_ASKED_RECENTLY" | "SOURCE_UNAVAILABLE">> {
      const own = await ownAddress(accountId, typed);
      if (!own.ok) return own;
      const offered = await offers();
      if (isTrouble(offered)) return unavailable(offered);
      if (source === undefined || !(offered.pastes || offered.sites)) return fail("NOT_FOUND");
      const key = { accountId, address: own.value };
      const started = now();
      const until = new Date(started.getTime() + CLAIM_MS);
      const claimedUntil = await transaction(async (store) => {
        const taken = await store.traces.claim(key, started, until);
        if (!taken && feed && source.sendsAddress)
          await store.disclosures.note([own.value], { source: feed.source, form: "address" }, started);
        return taken;
      });
      if (claimedUntil) return fail("TRACES_ASKED_RECENTLY", { retryAfter: secondsTo(claimedUntil, started) });
      const asked = await askSource(deps, source, offered, own.value);
      if (isTrouble(asked)) {
        report(new Error(`Cannot ask ${feed?.source} about pastes: ${asked.reason}`), { kind: asked.kind });
        await transaction((store) => store.traces.postpone(key, new Date(now().getTime() + restOf(asked))));
        return unavailable(asked);
      }
      const { kind: _, ...answer } = asked;
      const askedAt = now();
      const againAt = new Date(askedAt.getTime() + ASK_EVERY_MS);
      await transaction((store) => store.traces.keep(key, { askedAt, ...answer }, againAt));
      return ok(await shown(accountId, own.value));
    },

    /** Marks one site as done, or not. */
    async tickSite(
      accountId: string,
      { address: typed, site, done }: { address: string; site: string; done: boolean },
    ): Promise<Result<{ site: string; done: boolean }, MonitoringRefusal | "NOT_FOUND">> {
      const own = await ownAddress(accountId, typed);
      if (!own.ok) return own;
      const key = { accountId, address: own.value };
      const isThere = await transaction((store) => store.traces.tick(key, site, done));
      return isThere ? ok({ site, done }) : fail("NOT_FOUND");
    },

    /** The account has another address now, so what was found for the former one is no longer its own. */
    onEmailChanged({ accountId, from }: EventOf<"identity.emailChanged">): Promise<void> {
      return transaction((store) => store.traces.remove(accountId, from));
    },

    /** For the operator: what the subscription of this source includes, as far as it is known. */
    subscriptionOf: (source: string): Subscription | undefined =>
      feeds.find((one) => one.source === source)?.traces?.lastSubscription(),
  };
}

const secondsTo = (until: Date, from: Date) => Math.max(1, Math.ceil((until.getTime() - from.getTime()) / 1000));

function answerOf(trace: Trace | undefined): Pick<TracesView, "askedAt" | "pastes" | "sites" | "sitesRefused"> {
  const { askedAt, pastes, sites, sitesRefused = false } = trace?.answer ?? {};
  const done = new Set(trace?.done);
  return {
    askedAt: askedAt?.toISOString() ?? null,
    pastes: pastes?.map(pasteShown) ?? null,
    sites: sites === undefined ? null : byWeight(sites).map((site) => ({ site, done: done.has(site) })),
    sitesRefused,
  };
}

/** Most ids mean something at their source alone; those that are a URL become a link. */
function pasteShown({ source, id, title, date, addresses }: Paste) {
  return { source, url: secureLink(id) ?? null, title: title ?? null, date: date ?? null, addresses };
}

/** Asks for what the subscription includes, within the source's rate limit. */
async function askSource(
  { now, sleep, note }: BreachDeps,
  source: TraceSource,
  offered: Offers,
  address: string,
): Promise<({ kind: "asked" } & Asked) | SourceTrouble> {
  const patience = now().getTime() + LONGEST_WAIT_MS;
  async function inTurn<Answer extends { kind: string }>(
    ask: () => Promise<Answer | SourceTrouble>,
  ): Promise<Answer | SourceTrouble> {
    for (;;) {
      const answer = await ask();
      const trouble: SourceTrouble | undefined = isTrouble(answer) ? answer : undefined;
      if (trouble?.kind !== "later" || !isRateLimit(trouble)) return answer;
      if (now().getTime() + trouble.afterMs > patience) return answer;
      await sleep(trouble.afterMs);
    }
  }
  const pastes = offered.pastes ? await inTurn(() => source.pastesOf(address)) : ({ kind: "refused" } as const);
  if (isTrouble(pastes)) return pastes;
  const sites = offered.sites ? await inTurn(() => source.sitesOf(address)) : undefined;
  if (sites && isTrouble(sites)) return sites;
  const leftOut = [pastes, sites].reduce((sum, one) => sum + (one && "leftOut" in one ? one.leftOut : 0), 0);
  if (leftOut > 0) note?.("Some pastes or stealer logs cannot be read", { leftOut });
  return {
    kind: "asked",
    pastes: pastes.kind === "found" ? pastes.entries.slice(0, MOST_PASTES) : undefined,
    sites: sites?.kind === "found" ? byWeight(sites.entries).slice(0, MOST_SITES) : undefined,
    sitesRefused: sites?.kind === "refused",
  };
}
