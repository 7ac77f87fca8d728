import type { Tested } from "../../shared/connection_test.ts";
import { normaliseEmail } from "../../shared/email_address.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Breach } from "../catalogue/breach.ts";
import type { BreachDeps, StoredChange } from "../ports.ts";
import { isRateLimit } from "./sources.ts";

const LONGEST_LIST = 200;

/** The checks of an address with one source; instants in ISO 8601. */
export type CheckShown = { source: string; checkedAt: string | null; dueAt: string | null };

/** The operator's commands on sources, checks and the catalogue. */
export function operating({ transaction, feeds, now }: BreachDeps) {
  // Sources that are matched as data arrives are never queried.
  const asked = feeds.filter(({ isMatched }) => !isMatched).map(({ source }) => source);

  const names = feeds.map(({ source }) => source);

  return {
    sourceNames: (): string[] => names,

    /** Whether a source answers one small request within its rate limit, about no address. */
    async trySource(source: string): Promise<Tested> {
      const feed = feeds.find((candidate) => candidate.source === source);
      if (feed === undefined) return "off";
      const answer = await (feed.verify?.() ?? feed.latest());
      if (answer.kind === "misconfigured") return "credentials";
      if (answer.kind !== "later") return "answered";
      return isRateLimit(answer) ? "limited" : "unreachable";
    },

    /** Makes the address due first, with every source that is queried. */
    makeDue(typed: string): Promise<Result<{ address: string; sources: string[] }, "NOT_FOUND">> {
      const address = normaliseEmail(typed);
      if (address === undefined) return Promise.resolve(fail("NOT_FOUND"));
      return transaction(async ({ watches, scans }) => {
        await scans.lock([address]);
        if ((await watches.countAll(address)) === 0) return fail("NOT_FOUND");
        await scans.add(address, asked, now());
        return ok({ address, sources: asked });
      });
    },

    /** Makes every tracked address due, as after news of the catalogue: the longest unchecked first. */
    makeAllDue(): Promise<void> {
      return transaction(({ sources }) => sources.raiseGenerations(asked));
    },

    /** When each source last checked the address, and will check it next. */
    showChecks(address: string): Promise<CheckShown[]> {
      return transaction(async ({ scans }) => {
        const shown: CheckShown[] = [];
        for (const source of asked) {
          const times = (await scans.timesOf([address], [source])).get(address);
          const [checkedAt, dueAt] = [times?.checkedAt, times?.dueAt];
          shown.push({ source, checkedAt: checkedAt?.toISOString() ?? null, dueAt: dueAt?.toISOString() ?? null });
        }
        return shown;
      });
    },

    /** Changes of the catalogue since then: new entries, and changes of known ones. */
    listNews(since: Date): Promise<{ added: Breach[]; changes: StoredChange[]; isCut: boolean }> {
      return transaction(async ({ breaches, changes }) => {
        const from = `${since.toISOString().slice(0, 19)}Z`;
        const added = await breaches.listAddedSince(names, from, LONGEST_LIST + 1);
        const changed = await changes.listSince(since, LONGEST_LIST + 1);
        const isCut = added.length > LONGEST_LIST || changed.length > LONGEST_LIST;
        return { added: added.slice(0, LONGEST_LIST), changes: changed.slice(0, LONGEST_LIST), isCut };
      });
    },
  };
}
