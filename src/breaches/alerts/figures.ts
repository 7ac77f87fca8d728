import { isDrill } from "../../shared/breach.ts";
import { type ExposureFigures, figuresOf } from "../../shared/exposure_figures.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { BreachDeps } from "../ports.ts";
import { disclosed } from "./alert_list.ts";

/** `undisclosed` counts alerts without details, which the figures leave out. */
export type AlertFigures = ExposureFigures<number> & { undisclosed: number };

/** Aggregated figures over an account's alerts. */
export function alertFigures({ transaction, now }: BreachDeps) {
  return {
    /** Over everything that the unfiltered table shows; a breach counts once, regardless of the number of addresses. */
    showFigures(accountId: string): Promise<Result<AlertFigures>> {
      return transaction(async (store) => {
        const { breaches, undisclosed } = await disclosed(store, accountId, now());
        const real = breaches.filter(({ facts }) => !isDrill(facts));
        const figures = figuresOf(real.map(({ facts, pending }) => ({ ...facts, open: pending > 0 })));
        return ok({ ...figures, undisclosed });
      });
    },
  };
}
