import { normaliseEmail } from "../../shared/email_address.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Breach } from "../catalogue/breach.ts";
import type { BreachDeps, StoredChange } from "../ports.ts";

const LONGEST_LIST = 200;

/** How one source stands to one address; instants in ISO 8601. */
export type CheckShown = { source: string; checkedAt: string | null; dueAt: string | null };

/** What the operator asks of checks and of the catalogue. */
export function operating({ transaction, feeds, now }: BreachDeps) {
  // What is matched with every address as it comes in has nobody to ask.
  const asked = feeds.filter(({ isMatched }) => !isMatched).map(({ source }) => source);

  const names = feeds.map(({ source }) => source);

  return {
    sourceNames: (): string[] => names,

    /** The address is checked next, with every source that is asked. */
    makeDue(typed: string): Promise<Result<{ address: string; sources: string[] }, "NOT_FOUND">> {
      const address = normaliseEmail(typed);
      if (address === undefined) return Promise.resolve(fail("NOT_FOUND"));
      return transaction(async ({ watches, scans }) => {
        await scans.hold([address]);
        if ((await watches.countAll(address)) === 0) return fail("NOT_FOUND");
        await scans.add(address, asked, now());
        return ok({ address, sources: asked });
      });
    },

    /** Every watched address is due: like after news of the catalogue, whoever was not checked for longest first. */
    makeAllDue(): Promise<void> {
      return transaction(async ({ sources }) => {
        for (const source of asked) {
          const state = await sources.find(source);
          await sources.save({ ...state, generation: state.generation + 1 });
        }
      });
    },

    /** When each source has checked the address, and will again. */
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

    /** What the catalogue learned since then: entries that are new, and what became different about known ones. */
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
