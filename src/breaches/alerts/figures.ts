import { isDrill } from "../../shared/breach.ts";
import { type ExposureFigures, figuresOf } from "../../shared/exposure_figures.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { BreachDeps } from "../ports.ts";
import { historySince } from "./alert_list.ts";

/** `undisclosed` alerts are left out: the owners of their addresses share no details. */
export type AlertFigures = ExposureFigures<number> & { undisclosed: number };

/** What an account's alerts add up to. */
export function alertFigures({ transaction, now }: BreachDeps) {
  return {
    /** Of all that the table shows without a filter; a breach counts once, however many addresses it touches. */
    showFigures(accountId: string): Promise<Result<AlertFigures>> {
      return transaction(async ({ alerts }) => {
        const { breaches, undisclosed } = await alerts.listTouching(accountId, historySince(now()));
        const real = breaches.filter((breach) => !isDrill(breach));
        const figures = figuresOf(
          real.map(({ breachDate, dataClasses, raisedAt, pending }) => ({
            breachDate: breachDate ?? raisedAt.toISOString(),
            dataClasses,
            open: pending > 0,
          })),
        );
        return ok({ ...figures, undisclosed });
      });
    },
  };
}
