import type { BreachDeps, ClaimedDomain, PageAnswer } from "../ports.ts";
import { isDomain } from "./service_help.ts";

const DAY_MS = 24 * 3_600_000;
const BATCH = 5;
const LEASE_MS = 10 * 60_000;
/** How long an answer counts. */
const KEPT_MS = 60 * DAY_MS;
const RETRY_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS];

/** Finds out which breached services have a page for changing passwords: each domain of the catalogue is asked, never per person. */
export function servicePages({ transaction, changePasswordPages, now }: BreachDeps) {
  const after = (ms: number) => new Date(now().getTime() + ms);

  function record({ domain, failures }: ClaimedDomain, answer: PageAnswer): Promise<void> {
    return transaction(({ servicePages: kept }) => {
      if (answer.kind !== "later") return kept.keep(domain, answer.kind === "page", after(KEPT_MS));
      return kept.postpone(domain, after(RETRY_MS[failures] ?? KEPT_MS), failures + 1);
    });
  }

  return {
    /** Asks a few domains; returns the number of pages found. */
    async askServices(): Promise<number> {
      if (changePasswordPages === undefined) return 0;
      const claimed = await transaction((store) => store.servicePages.claimDue(BATCH, now(), after(LEASE_MS)));
      let found = 0;
      for (const one of claimed) {
        const answer = isDomain(one.domain) ? await changePasswordPages.ask(one.domain) : { kind: "none" as const };
        await record(one, answer);
        if (answer.kind === "page") found += 1;
      }
      return found;
    },
  };
}
