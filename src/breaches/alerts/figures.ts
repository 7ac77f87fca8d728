import { isDrill } from "../../shared/breach.ts";
import { type ExposureFigures, figuresOf } from "../../shared/exposure_figures.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { BreachDeps } from "../ports.ts";
import { historySince } from "./alert_list.ts";

/** `undisclosed` counts alerts without details, which the figures leave out. */
export type AlertFigures = ExposureFigures<number> & { undisclosed: number };

/** Aggregated figures over an account's alerts. */
export function alertFigures({ transaction, now }: BreachDeps) {
  return {
    /** Over everything that the unfiltered table shows; a breach counts once, regardless of the number of addresses. */
    showFigures(accountId: string): Promise<Result<AlertFigures>> {
      return transaction(async ({ alerts }) => {
        const { breaches, undisclosed } = await alerts.listTouching(accountId, historySince(now()));
        const real = breaches.filter((breach) => !isDrill(breach));
        const figures = figuresOf(
          real.map(({ breachDate, dataClasses, pending }) => ({
            breachDate: breachDate ?? null,
            dataClasses,
            open: pending > 0,
          })),
        );
        return ok({ ...figures, undisclosed });
      });
    },
  };
}
