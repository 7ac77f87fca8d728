import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const EXPIRED = "Session expired. Please log in again.";

test("a page opened with an expired session says so once, and not after a logout", async () => {
  const { open, leave } = await opened.room();
  opened.site.set({ level: "unauthenticated" });
  const stranger = await open("/en/alerts");
  await stranger.waitForURL("**/en/login");
  await settled(stranger);
  expect(await stranger.getByText(EXPIRED).count()).toBe(0);

  opened.site.set();
  await settled(await open("/en/dashboard"));
  opened.site.stage.level = "unauthenticated";
  const afresh = await open("/en/alerts");
  await afresh.waitForURL("**/en/login");
  await afresh.getByText(EXPIRED).waitFor();
  const later = await open("/en/alerts");
  await later.waitForURL("**/en/login");
  await settled(later);
  expect(await later.getByText(EXPIRED).count()).toBe(0);

  opened.site.stage.level = "authenticated";
  const again = await open("/en/dashboard");
  await settled(again);
  opened.site.stage.level = "unauthenticated";
  await again.getByRole("button", { name: "Logout" }).click();
  await again.waitForURL("**/en/login");
  const out = await open("/en/alerts");
  await out.waitForURL("**/en/login");
  await settled(out);
  expect(await out.getByText(EXPIRED).count()).toBe(0);
  await leave();
}, 60_000);
