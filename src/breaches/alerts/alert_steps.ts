import { isAdviceStep } from "../../shared/advice.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { BreachDeps } from "../ports.ts";

/** Ticking off what an alert's advice says. */
export function alertSteps({ transaction }: BreachDeps) {
  return {
    /** Every tick stands by itself: two tabs that tick at once keep both. */
    tickStep(
      accountId: string,
      id: string,
      { step, done }: { step: string; done: boolean },
    ): Promise<Result<{ steps: string[] }, "INVALID_INPUT" | "NOT_FOUND">> {
      if (!isAdviceStep(step)) return Promise.resolve(fail("INVALID_INPUT", { fields: { step: "INVALID_INPUT" } }));
      return transaction(async ({ alerts }) => {
        const alert = await alerts.find(accountId, id);
        // Which steps are advised tells what was stolen: without details there is nothing to tick.
        const steps = alert?.details ? await alerts.tick(accountId, id, { name: step, done }) : undefined;
        return steps ? ok({ steps }) : fail("NOT_FOUND");
      });
    },
  };
}
