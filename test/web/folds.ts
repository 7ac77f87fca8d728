import type { Locator, Page } from "playwright-core";

/** Expands everything that is collapsed. */
export async function openFolds(scope: Locator | Page): Promise<void> {
  const folds = scope.locator("details:not([open]) > summary");
  await scope.locator("details").first().waitFor();
  while ((await folds.count()) > 0) await folds.first().click();
}
