import type { Page } from "playwright-core";

/** Returns the title of the modal that reports a failed load, and closes it. */
export async function readFailure(page: Page): Promise<string | null> {
  const modal = page.getByRole("dialog").filter({ has: page.locator("button[data-autofocus]") });
  const title = await modal.getByRole("heading").first().textContent();
  await modal.locator("button[data-autofocus]").click();
  await modal.waitFor({ state: "detached" });
  return title;
}
