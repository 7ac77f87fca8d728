import { isAdviceStep } from "../../shared/advice.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { BreachDeps } from "../ports.ts";

/** The checklist of an alert's advice. */
export function alertSteps({ transaction }: BreachDeps) {
  return {
    /** Sets a single step, so that concurrent changes from two tabs are both kept. */
    tickStep(
      accountId: string,
      id: string,
      { step, done }: { step: string; done: boolean },
    ): Promise<Result<{ steps: string[] }, "INVALID_INPUT" | "NOT_FOUND">> {
      if (!isAdviceStep(step)) return Promise.resolve(fail("INVALID_INPUT", { fields: { step: "INVALID_INPUT" } }));
      return transaction(async ({ alerts }) => {
        const alert = await alerts.find(accountId, id);
        // The advised steps reveal what was stolen, so without details there are none.
        const steps = alert?.details ? await alerts.tick(accountId, id, { name: step, done }) : undefined;
        return steps ? ok({ steps }) : fail("NOT_FOUND");
      });
    },
  };
}
