import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const bodyOf = (part: string) => opened.site.requests.findLast(({ call }) => call.includes(part))?.body;

test("an own address lists its aliases, takes a list, and removes one after a question", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/update-track/a1");
  const section = page.getByRole("region", { name: "Aliases" });
  await section.getByText("Waiting for confirmation").first().waitFor();
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("Email address is required.").waitFor();
  await section.getByRole("textbox", { name: "Aliases" }).fill("added@alias.example");
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("added@alias.example").waitFor();
  expect(bodyOf("/aliases/import")).toEqual({ from: "text", text: "added@alias.example" });
  await section.getByRole("button", { name: "Remove news@alias.example" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove alias" }).click();
  await section.getByText("news@alias.example").waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("a list with a line without an address stays, and is said to have one", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/update-track/a1");
  const section = page.getByRole("region", { name: "Aliases" });
  const list = section.getByRole("textbox", { name: "Aliases" });
  const typed = "added@alias.example\nnot an address";
  await list.fill(typed);
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("1 line contains no email address that we can read.").waitFor();
  expect(await list.inputValue()).toBe(typed);
  await list.fill("added@alias.example");
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("1 line contains").waitFor({ state: "detached" });
  expect(await list.inputValue()).toBe("");
  await leave();
}, 30_000);

test("a service's key is asked for, sent once, and gone from the form; a refused one is said at its field", async () => {
  const refused = { status: 422, body: { code: "ALIAS_KEY_REFUSED" as const } };
  opened.site.set({ answers: { "POST /api/associations/a1/aliases/import": refused } });
  const { page, leave } = await opened.visit("/en/update-track/a1");
  const section = page.getByRole("region", { name: "Aliases" });
  await section.getByLabel("Add from").selectOption("simplelogin");
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("API key is required.").waitFor();
  await section.getByLabel("API key").fill("wrong");
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("The service doesn’t accept this key.").waitFor();
  opened.site.set();
  await section.getByLabel("API key").fill("right");
  await section.getByLabel("Your own server’s address").fill("http://mine.example");
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("Please enter an address that starts with https://.").waitFor();
  await section.getByLabel("Your own server’s address").fill("");
  await section.getByRole("button", { name: "Add aliases" }).click();
  await section.getByText("added@alias.example").waitFor();
  expect(bodyOf("/aliases/import")).toEqual({ from: "simplelogin", key: "right" });
  expect(await section.getByLabel("API key").inputValue()).toBe("");
  await leave();
}, 30_000);

test("another's address has no aliases", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/update-track/a2");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("region", { name: "Aliases" }).count()).toBe(0);
  await leave();
}, 30_000);

test("a mailed link changes nothing until its button is pressed", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await opened.visit("/en/confirm-alias#t=token");
  await page.getByText("news@alias.example").waitFor();
  expect(opened.site.requests.some(({ call }) => call.includes("/aliases/confirm"))).toBe(false);
  await page.getByRole("button", { name: "Confirm this alias" }).click();
  await page.getByText("The alias is confirmed").waitFor();
  expect(bodyOf("/aliases/confirm")).toEqual({ token: "token" });
  await leave();
}, 30_000);
