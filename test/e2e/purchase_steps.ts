import type { Page } from "playwright-core";
import type { Language } from "../../src/shared/language.ts";
import type { Plan } from "../../src/shared/plans.ts";
import { steps } from "./steps.ts";

type Wanted = { plan: Plan; quantity: number; currency: string };

/** User actions on the plan screens, in one language. */
export function purchaseSteps(page: Page, language: Language) {
  const screen = steps(page, language);
  const { say } = screen;
  return {
    ...screen,
    button: (key: string, values?: Record<string, string | number>) =>
      page.getByRole("button", { name: say(key, values), exact: true }),
    main: page.getByRole("main"),

    /** Billed yearly. */
    async choose({ plan, quantity, currency }: Wanted): Promise<void> {
      await screen.field("plans.currency").selectOption(currency);
      await page.getByText(say("period.yearly")).click();
      await page.getByLabel(say("plans.quantity_of", { plan: say(`plan.${plan}`) })).fill(String(quantity));
    },
  };
}
