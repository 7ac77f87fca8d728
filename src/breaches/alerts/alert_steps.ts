import { isAdviceStep } from "../../shared/advice.ts";
import type { PasswordChange } from "../../shared/alert.ts";
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

    /** Records the answer to when the password was last changed. "After" the breach completes the step to change it. */
    notePasswordChange(
      accountId: string,
      id: string,
      { changed }: { changed: PasswordChange },
    ): Promise<Result<{ steps: string[]; changedSince: PasswordChange }, "NOT_FOUND">> {
      return transaction(async ({ alerts }) => {
        const alert = await alerts.find(accountId, id);
        if (!alert?.details || !(await alerts.notePasswordChange(accountId, id, changed))) return fail("NOT_FOUND");
        const done = changed === "after";
        // Only what an earlier answer has ticked is unticked by another one.
        const isTicked = done || alert.changedSince === "after";
        const steps = isTicked ? await alerts.tick(accountId, id, { name: "password", done }) : alert.steps;
        return ok({ steps: steps ?? [], changedSince: changed });
      });
    },
  };
}
