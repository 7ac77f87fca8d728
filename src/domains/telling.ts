import type { AlertRoute } from "../shared/contacts.ts";
import { workThroughDue } from "../shared/due.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { coveredIds } from "./coverage.ts";
import { type Domain, isHeld } from "./domain.ts";
import type { DomainDeps, TellingDue } from "./ports.ts";

const DAY_MS = 24 * 3_600_000;
const BATCH = 100;
const EPOCH = new Date(0);

/** Tells administrators of new findings, through the contacts of their accounts. */
export function telling(deps: DomainDeps) {
  const { transaction, allowance, accounts, defaultContacts, now, report } = deps;

  /** When the administrator wants to hear of what is new now. */
  const wantedAt = ({ digest, toldAt }: Domain, at: Date) =>
    digest === "at_once" || toldAt === undefined ? at : new Date(toldAt.getTime() + DAY_MS);

  async function tell({ id, accountId, name }: TellingDue): Promise<boolean> {
    const all = await transaction(({ domains }) => domains.list(accountId));
    const isCovered = coveredIds(all, await allowance.of(accountId)).has(id);
    return transaction(async ({ domains, findings, events }) => {
      // Findings are stored under the same lock, so that none is dated before this and stored after it.
      await domains.lockName(name);
      // It may have changed since it was listed; what is due may be forgotten only as the settings are now.
      const domain = await domains.findById(id);
      if (!domain || !isHeld(domain)) return false;
      const { digest } = domain;
      const at = now();
      const wanted = wantedAt(domain, at);
      if (digest === "off" || !isCovered || wanted > at) {
        // Without a plan it is looked at again tomorrow, as nothing wakes it when the plan is back.
        const again = isCovered ? wanted : new Date(at.getTime() + DAY_MS);
        await domains.setTellingDue(id, digest === "off" ? undefined : again);
        return false;
      }
      await domains.endTelling(id, at);
      const from = domain.toldAt ?? EPOCH;
      const { findings: count, addresses } = await findings.countNews(name, domain, { from, until: at });
      if (count === 0) return false;
      await domains.save({ ...domain, toldAt: at, version: domain.version + 1 });
      const news = { domainId: id, accountId, domain: name, findings: count, addresses, at: at.toISOString() };
      await events.publish({ type: "domains.findingsRaised", ...news, drill: false });
      return true;
    });
  }

  return {
    /**
     * Job: tells administrators about new findings, immediately or at most once a day, until nothing is due or `isOver`. A domain
     * that fails is left to the next run. Returns the number of messages.
     */
    tellAdministrators(isOver = () => false): Promise<number> {
      return workThroughDue({
        list: (after, limit) => transaction(({ domains }) => domains.listTellingDue(now(), after, limit)),
        work: async (due) => ((await tell(due)) ? 1 : 0),
        failed: (error, { id: domain }) => report(error, { job: "domain-alerts", domain }),
        batch: BATCH,
        isOver,
      });
    },

    /** Sends a test message with made-up numbers, in the way that real ones are sent. */
    startDomainDrill(accountId: string, id: string): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async ({ domains, events }) => {
        const domain = await domains.find(accountId, id);
        if (!domain || !isHeld(domain)) return fail("NOT_FOUND");
        // One a minute: the time names the message.
        const at = new Date(Math.floor(now().getTime() / 60_000) * 60_000).toISOString();
        const made = { domainId: id, accountId, domain: domain.name, findings: 3, addresses: 2, at };
        await events.publish({ type: "domains.findingsRaised", ...made, drill: true });
        return ok();
      });
    },

    /** Called by notifications: where messages about these domains are sent. Domains that are no longer held are left out. */
    async routesOfDomains(ids: string[]): Promise<AlertRoute[]> {
      const routes: AlertRoute[] = [];
      const found = await transaction(({ domains }) => domains.listByIds(ids));
      for (const domain of found.filter(isHeld)) {
        const { id } = domain;
        const account = await accounts.of(domain.accountId);
        if (!account) continue;
        const contacts = await defaultContacts.of(domain.accountId);
        const own = account.verified ? [{ channel: "email" as const, value: account.email }] : [];
        routes.push({
          associationId: id,
          accountId: domain.accountId,
          address: domain.name,
          own: true,
          language: account.language,
          contacts: contacts.length > 0 ? contacts : own,
        });
      }
      return routes;
    },
  };
}
