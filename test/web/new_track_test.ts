import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const LIST = "ada@example.org\nnobody\nbob@example.org\ngrace@example.org";

test("what happens next follows the address and the owner box", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  await address.fill("carol@example.com");
  await page.getByText("We ask the owner by email, in this language: English.").waitFor();
  await page.getByLabel("Language of alerts").selectOption("de");
  await page.getByText("We ask the owner by email, in this language: Deutsch.").waitFor();
  await page.getByLabel("I own this email address").check();
  await page.getByText("We email a link to this address").waitFor();
  await page.getByRole("button", { name: "Send the link" }).waitFor();
  await address.fill("Alice.Archer@Example.com");
  await page.getByText("This is your own address: watching starts at once.").waitFor();
  await page.getByRole("button", { name: "Start tracking" }).click();
  await page.getByText("Alice.Archer@Example.com is now being tracked.").waitFor();
  await leave();
}, 30_000);

test("the owner box is ticked for one address alone: another one that is typed over it clears the tick", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  const [address, owner] = [
    page.getByLabel("Email address", { exact: true }),
    page.getByLabel("I own this email address"),
  ];
  await address.fill("carol@example.com");
  await owner.check();
  await address.fill("bob@example.org");
  expect(await owner.isChecked()).toBe(false);
  await page.getByText("We ask the owner by email, in this language: English.").waitFor();
  await leave();
}, 30_000);

test("a whole form is filled in and sent with the keyboard alone", async () => {
  opened.site.set();
  opened.site.stage.instance.channels = ["email", "telegram"];
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByLabel("Email address", { exact: true }).focus();
  await page.keyboard.type("carol@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Fran");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  // The first contact's own button: one press removes it.
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove alice.archer@example.com" }).waitFor({ state: "detached" });
  await page.getByPlaceholder("Add an address").focus();
  await page.keyboard.type("bob@example.org,");
  await page.keyboard.type("dana@example.org");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("@carol_bell");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("A link goes to carol@example.com.").waitFor();
  expect(acts()).toEqual([
    {
      call: "POST /api/associations",
      body: {
        ...{ address: "carol@example.com", owner: true, language: "fr" },
        contacts: { email: ["bob@example.org", "dana@example.org"], telegram: ["@carol_bell"] },
      },
    },
  ]);
  await leave();
}, 30_000);

test("an owner who has just declined is not asked again: said at the address", async () => {
  const code = "INVITATION_DECLINED_RECENTLY";
  opened.site.set({
    answers: { "POST /api/associations": { status: 409, body: { code, fields: { address: code } } } },
  });
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  await address.fill("carol@example.com");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByText("The owner of this address has declined within the last 30 days.").waitFor();
  expect(await address.getAttribute("aria-invalid")).toBe("true");
  expect(await address.inputValue()).toBe("carol@example.com");
  await leave();
}, 30_000);

test("a list is looked at line by line, and all that is good is added at once", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByRole("link", { name: "Add several" }).click();
  await page.getByRole("button", { name: "Check the list" }).click();
  await page.getByText("Email address is required.").waitFor();
  await page.getByLabel("Addresses", { exact: true }).fill(LIST);
  await page.getByRole("button", { name: "Check the list" }).click();
  const bad = page.getByRole("region", { name: "Lines that cannot be added" }).getByRole("listitem");
  await bad.first().waitFor();
  expect(await bad.allTextContents()).toEqual([
    "Line 2nobodyPlease enter a valid email.",
    "Line 3bob@example.orgThere is already an association for this email address.",
  ]);
  await page.getByRole("button", { name: "Add 2 addresses" }).click();
  await page.getByText("2 addresses have been added.").waitFor();
  expect(acts().at(-1)).toEqual({
    call: "POST /api/associations/bulk",
    body: {
      ...{ addresses: ["ada@example.org", "grace@example.org"], owner: false, language: "en" },
      contacts: { email: ["alice.archer@example.com"] },
    },
  });
  await leave();
}, 30_000);

test("a file is read in the browser; one that is too large is not even sent", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track?several");
  const choose = page.locator("input[type=file]");
  const fileOf = (text: string) => ({ name: "team.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Choose a file" }).waitFor();
  await choose.setInputFiles(fileOf("a".repeat(62_000)));
  await page.getByText("That is too much at once").waitFor();
  expect(acts()).toEqual([]);
  await choose.setInputFiles(fileOf("ada@example.org\n"));
  await page.getByText("1 address can be added.").waitFor();
  await page.getByRole("button", { name: "Change the list" }).click();
  expect(await page.getByLabel("Addresses", { exact: true }).inputValue()).toBe("ada@example.org\n");
  await leave();
}, 30_000);

test("when something came in between nothing is added, and the list is looked at anew", async () => {
  const code = "ADDRESS_ALREADY_TRACKED";
  const refused = { status: 409, body: { code, fields: { "addresses.0": code } } };
  opened.site.set({ answers: { "POST /api/associations/bulk": refused } });
  const { page, leave } = await opened.visit("/en/new-track?several");
  await page.getByLabel("Addresses", { exact: true }).fill("ada@example.org\ngrace@example.org");
  await page.getByRole("button", { name: "Check the list" }).click();
  const [first] = opened.site.stage.associations;
  if (first) opened.site.stage.associations.push({ ...first, id: "a7", address: "ada@example.org" });
  await page.getByRole("button", { name: "Add 2 addresses" }).click();
  await page.getByRole("dialog", { name: "Nothing was added" }).getByRole("button", { name: "Close" }).last().click();
  await page.getByText("1 line cannot be added:").waitFor();
  await page.getByRole("button", { name: "Add 1 address" }).waitFor();
  await leave();
}, 30_000);
