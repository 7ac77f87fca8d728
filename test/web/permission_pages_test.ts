import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import type { AccessRequest, MayWatch, WatchedBy } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** More than one page: many copies of the scene's first item. */
function many() {
  const { requests, grants } = scene();
  const [request, mayWatch, watchedBy] = [requests[0], grants.mayWatch[0], grants.watchedBy[0]];
  const numbers = Array.from({ length: 26 }, (_, index) => index);
  const named = (number: number) => ({ name: `Person ${number}.`, email: "p…@example.com" });
  return {
    requests: numbers.map((n) => ({ ...(request as AccessRequest), id: `r${n}`, inviter: named(n) })),
    grants: {
      mayWatch: numbers.map((n) => ({ ...(mayWatch as MayWatch), id: `m${n}`, address: `person${n}@example.com` })),
      watchedBy: numbers.map((n) => ({ ...(watchedBy as WatchedBy), id: `w${n}`, inviter: named(n) })),
    },
  };
}

/** Long lists are collapsed. */
async function unfold(grants: Locator) {
  await grants.locator("summary").first().click();
  await grants.locator("summary").nth(1).click();
}

test("permissions and requests are paginated, with totals", async () => {
  opened.site.set(many());
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await page.getByRole("heading", { name: "Access Requests 26" }).waitFor();
  const grants = page.getByRole("region", { name: "Granted Permissions 52" });
  await unfold(grants);
  expect(await grants.getByRole("listitem").count()).toBe(50);
  // The two lists are paginated separately.
  await grants.getByRole("button", { name: "Page 2" }).nth(1).click();
  await grants.getByRole("heading", { name: "person25@example.com" }).waitFor();
  expect(await grants.getByRole("heading", { name: "person0@example.com" }).count()).toBe(0);
  await grants.getByRole("heading", { name: "Person 0. tracks your address" }).waitFor();
  await leave();
}, 30_000);

test("when a page's last row is removed, the previous page is shown", async () => {
  opened.site.set(many());
  const { page, leave } = await opened.visit("/en/dashboard");
  const grants = page.getByRole("region", { name: "Granted Permissions" });
  await unfold(grants);
  await grants.getByRole("button", { name: "Page 2" }).first().click();
  await page.getByRole("button", { name: "Withdraw Person 25.’s permission" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await grants.getByRole("heading", { name: "Person 0. tracks your address" }).waitFor();
  const requests = page.getByRole("region", { name: "Access Requests" });
  await requests.getByRole("button", { name: "Page 2" }).click();
  await page.getByRole("button", { name: "Decline Person 25.’s request" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await requests
    .getByRole("heading", { name: "Person 0. would like to check your address for data breaches" })
    .waitFor();
  await requests.getByRole("navigation").waitFor({ state: "detached" });
  await leave();
}, 30_000);
