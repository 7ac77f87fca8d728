import { expect, test } from "bun:test";
import { sharedBrowser } from "../support/browser.ts";
import { barriers, excessWidth } from "./inspect.ts";

test("barriers() finds missing names, low contrast and skipped headings; with one rule only its violations", async () => {
  const page = await (await sharedBrowser()).newPage();
  await page.setContent(`<!doctype html><html lang="en"><title>Barriers</title><main>
    <h1>One</h1><h3>Three</h3><button></button><p style="color: #ccc; background: #fff">Pale</p></main></html>`);
  const found = (await barriers(page)).map((text) => text.split(":")[0]);
  expect(found.toSorted()).toEqual(["button-name", "color-contrast", "heading-order"]);
  expect(await barriers(page, ["color-contrast"])).toEqual([expect.stringContaining("Pale")]);
  await page.setContent('<!doctype html><html lang="en"><title>None</title><main><h1>Fine</h1></main></html>');
  expect(await barriers(page)).toEqual([]);
  expect(await excessWidth(page)).toBe(0);
  await page.close();
}, 60_000);
