import type { Page } from "playwright-core";

/** Holds back responses until it is called. */
export async function heldBack(page: Page, address: string): Promise<() => void> {
  let go: () => void = () => undefined;
  const free = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(address, async (route) => {
    await free;
    await route.continue();
  });
  return go;
}

/** The app itself; without it nothing is hydrated. */
export const APP = "**/assets/index-*.js";

/** In the page: whether the form is hydrated. */
export const isListening = () =>
  Object.keys(document.querySelector("form") ?? {}).some((key) => key.startsWith("__reactProps"));
