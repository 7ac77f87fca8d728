import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { manyContacts, ownContact } from "./fake_contacts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const UNREACHABLE = "The server can’t be reached. Please check";

test("a removal confirmed without a network fails at once, and is not carried out when the network is back", async () => {
  opened.site.set({ contacts: [ownContact(), ...manyContacts().filter(({ id }) => id === "c7")] });
  const { page, leave } = await opened.visit("/en/contacts");
  await settled(page);
  await page.getByRole("button", { name: /^Remove uQiRz/ }).click();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Remove contact" }).click();
  await page.getByText(UNREACHABLE).first().waitFor();
  await page.context().setOffline(false);
  const reloaded = opened.site.requests.length;
  await page.waitForTimeout(100);
  while (opened.site.requests.length === reloaded) await page.waitForTimeout(50);
  expect(acts()).toEqual([]);
  await page.getByRole("heading", { name: /^uQiRz/, includeHidden: true }).waitFor();
  await leave();
}, 30_000);

test("a form sent without a network says so at once, keeps its input, and can be sent later", async () => {
  opened.site.set({ contacts: [ownContact()] });
  const { page, leave } = await opened.visit("/en/contacts");
  await settled(page);
  const address = page.getByLabel("Add an address");
  await address.fill("carol@example.com");
  await page.context().setOffline(true);
  await page.keyboard.press("Enter");
  await page.getByText(UNREACHABLE).first().waitFor();
  await page.context().setOffline(false);
  expect(await address.inputValue()).toBe("carol@example.com");
  expect(acts()).toEqual([]);
  await page.keyboard.press("Escape");
  await address.press("Enter");
  await page.getByText("carol@example.com has been added.").waitFor();
  expect(acts()).toHaveLength(1);
  await leave();
}, 30_000);
