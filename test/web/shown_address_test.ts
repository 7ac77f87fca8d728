import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { FIRST_STATES } from "./first_states.ts";

let opened: Awaited<ReturnType<typeof openSite>>;

beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** Replaces the domain of every address that the server sends, but for those of the demonstration, which are copied. */
async function internationalise(page: Page): Promise<void> {
  await page.route(/\/api\/(?!instance$)/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({
      response,
      body: text.replaceAll(/(\w)@[a-z-]+(?:\.[a-z-]+)+/g, "$1@xn--mnchen-post-thb.example"),
    });
  });
}

/** Everything that a person reads or hears: texts, values of fields, labels. */
function readable(): string[] {
  const texts: string[] = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement?.closest("style, script, template"))
      texts.push(walker.currentNode.textContent ?? "");
  for (const field of document.querySelectorAll<HTMLInputElement>("input:not([type=hidden]), textarea"))
    texts.push(field.value);
  for (const name of ["aria-label", "title", "placeholder"])
    for (const named of document.querySelectorAll(`[${name}]`)) texts.push(named.getAttribute(name) ?? "");
  return texts;
}

test.each(FIRST_STATES)(
  "screen %s shows an international address as it was typed",
  async (_, screen) => {
    opened.site.set(screen.scene);
    const { page, leave } = await opened.visit(`/de${screen.path}`, {
      prepare: async (fresh) => {
        await internationalise(fresh);
        await screen.prepare?.(fresh);
      },
    });
    await settled(page);
    await screen.act?.(page);
    expect((await page.evaluate(readable)).filter((text) => text.includes("xn--"))).toEqual([]);
    // Questions that are still open would fail in the middle of another test.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await leave();
  },
  60_000,
);
