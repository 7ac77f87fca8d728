import { expect, test } from "bun:test";
import { ACCOUNT_SCREENS } from "./account_screens.ts";
import { openSite, settled } from "./browser.ts";
import { hardCodedWords } from "./hard_coded.ts";
import { PUBLIC_SCREENS } from "./public_screens.ts";
import { testScreens } from "./screens.ts";
import { SIGN_IN_SCREENS } from "./sign_in_screens.ts";

testScreens(PUBLIC_SCREENS);
testScreens(ACCOUNT_SCREENS);
testScreens(SIGN_IN_SCREENS);

test("the collector of violations detects a style that the policy blocks", async () => {
  const { visit, close } = await openSite();
  const { page, complaints, leave } = await visit("/en/login");
  await settled(page);
  await page.evaluate(() => document.head.appendChild(document.createElement("style")).append("b { color: red }"));
  await page.waitForTimeout(0);
  expect(complaints.join()).toContain("style-src");
  await leave();
  await close();
}, 120_000);

test("the search for hard-coded text finds one", async () => {
  const { site, visit, close } = await openSite("pseudo");
  const { page, leave } = await visit("/de/login");
  await settled(page);
  expect(await hardCodedWords(page, site.told(), "de")).toEqual([]);
  await page.evaluate(() => document.querySelector("h1")?.append("Willkommen"));
  expect(await hardCodedWords(page, site.told(), "de")).toEqual(["Willkommen"]);
  await leave();
  await close();
}, 120_000);
