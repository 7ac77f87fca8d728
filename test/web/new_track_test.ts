import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const LIST = "ada@example.org\nnobody\nbob@example.org\ngrace@example.org";

test("the description of the next step follows the address and the owner checkbox", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  await address.fill("carol@example.com");
  await page.getByText("We’ll ask the owner by email, in this language: English.").waitFor();
  await page.getByLabel("Language of the invitation").selectOption("de");
  await page.getByText("We’ll ask the owner by email, in this language: Deutsch.").waitFor();
  await page.getByLabel("I own this email address").check();
  await page.getByText("We’ll email a link to this address").waitFor();
  await page.getByRole("button", { name: "Send the link" }).waitFor();
  await address.fill("Alice.Archer@Example.com");
  await page.getByText("This is your own address, so checking starts right away.").waitFor();
  await page.getByRole("button", { name: "Start tracking" }).click();
  await page.getByText("Alice.Archer@Example.com is now being tracked.").waitFor();
  await leave();
}, 30_000);

test("the invitation is previewed in its own language, which differs from that of the user's own alerts", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByLabel("Email address", { exact: true }).fill("carol@example.com");
  const preview = page.getByRole("region", { name: "What the person will read" });
  await preview.getByText("May Alice Archer check your address for data breaches?").waitFor();
  await page.getByLabel("Language of the invitation").selectOption("it");
  await preview.getByText("Violazioni di dati: Alice Archer chiede il Suo consenso").waitFor();
  const words = await preview.textContent();
  for (const part of ["Alice Archer chiede il Suo consenso", "carol@example.com"]) expect(words).toContain(part);
  expect(await preview.locator("[lang]").getAttribute("lang")).toBe("it");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByText("We’re asking the owner of carol@example.com by email.").waitFor();
  expect(acts().at(-1)?.body).toMatchObject({ owner: false, language: "en", invitationLanguage: "it" });
  await leave();
}, 30_000);

test("while the preview loads another language it stays, so that nothing below moves under a click", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByLabel("Email address", { exact: true }).fill("carol@example.com");
  const preview = page.getByRole("region", { name: "What the person will read" });
  await preview.getByText("May Alice Archer check your address for data breaches?").waitFor();
  const asked = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    asked.resolve();
    await loaded.promise;
    await route.continue();
  });
  await page.getByLabel("Language of the invitation").selectOption("it");
  await asked.promise;
  expect(await preview.textContent()).toContain("May Alice Archer check your address for data breaches?");
  expect(await preview.locator("[lang]").getAttribute("lang")).toBe("en");
  loaded.resolve();
  await preview.getByText("Violazioni di dati: Alice Archer chiede il Suo consenso").waitFor();
  await leave();
}, 30_000);

test("a chat is connected in the form itself, before the address is tracked", async () => {
  opened.site.set();
  opened.site.stage.instance.channels = ["email", "telegram"];
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByRole("checkbox", { name: "Telegram", exact: true }).check();
  await page.getByPlaceholder("Add a username").fill("@Carol_Bell");
  await page.keyboard.press("Enter");
  await page.getByText("Not connected").waitFor();
  await page.getByRole("button", { name: "Connect @carol_bell", exact: true }).click();
  await page.getByText("Waiting for “Start” to be pressed in Telegram").waitFor();
  expect(acts().map(({ call, body }) => [call, body])).toEqual([
    ["POST /api/contacts", { channel: "telegram", value: "carol_bell", language: "en", everywhere: false }],
    ["POST /api/contacts/n1/telegram-link", { whose: "me" }],
  ]);
  for (const one of opened.site.stage.contacts) if (one.id === "n1") one.state = "active";
  opened.site.stage.telegramLink = { state: "linked", candidate: null, expiresAt: null };
  await page.getByText("Connected to @carol_bell").waitFor();
  expect(await page.getByText("Not connected").count()).toBe(0);
  await page.getByRole("button", { name: "Remove @Carol_Bell" }).waitFor();
  await leave();
}, 30_000);

test("a contact that was only typed is sent with the first click, although leaving its field moves the form", async () => {
  opened.site.set();
  opened.site.stage.instance.channels = ["email", "telegram"];
  const { page, leave } = await opened.visit("/en/new-track", { viewport: { width: 360, height: 760 } });
  await page.getByLabel("Email address", { exact: true }).fill("alice.archer@example.com");
  await page.getByRole("checkbox", { name: "Telegram", exact: true }).check();
  const button = page.getByRole("button", { name: "Start tracking" });
  await button.scrollIntoViewIfNeeded();
  await page.getByPlaceholder("Add a username").fill("@carol_bell");
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  // React draws within two frames what the press has changed.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.mouse.up();
  await page.getByText("alice.archer@example.com is now being tracked.").waitFor();
  expect(acts().find(({ call }) => call === "POST /api/associations")?.body).toMatchObject({
    contacts: { telegram: ["@carol_bell"] },
  });
  await leave();
}, 30_000);

test("a whole form is filled in and sent using only the keyboard", async () => {
  opened.site.set();
  opened.site.stage.instance.channels = ["email", "telegram"];
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByRole("radio", { name: "Someone else’s address" }).focus();
  await page.keyboard.press("ArrowUp");
  await page.getByText("We’ll email a link to this address").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("carol@example.com");
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
  // Past the three ways to connect the chat.
  await page.getByRole("button", { name: "Connect @carol_bell", exact: true }).waitFor();
  for (const _ of ["connect", "for somebody else", "for a group", "language"]) await page.keyboard.press("Tab");
  await page.keyboard.type("Fran");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("We’ve sent a link to carol@example.com.").waitFor();
  expect(acts()).toEqual([
    {
      call: "POST /api/associations",
      body: {
        address: "carol@example.com",
        owner: true,
        language: "fr",
        contacts: { email: ["bob@example.org", "dana@example.org"], telegram: ["@carol_bell"] },
      },
    },
  ]);
  await leave();
}, 30_000);

test("an owner who has recently declined is not asked again, with a message at the address", async () => {
  const code = "INVITATION_DECLINED_RECENTLY";
  opened.site.set({
    answers: { "POST /api/associations": { status: 409, body: { code, fields: { address: code } } } },
  });
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  await address.fill("carol@example.com");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByText("The owner of this address declined within the last 30 days.").waitFor();
  expect(await address.getAttribute("aria-invalid")).toBe("true");
  expect(await address.inputValue()).toBe("carol@example.com");
  await leave();
}, 30_000);

test("a list is validated line by line, and all valid lines are added together", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByRole("link", { name: "Add several" }).click();
  await page.getByRole("button", { name: "Check the list" }).click();
  await page.getByText("Email address is required.").waitFor();
  await page.getByLabel("Addresses", { exact: true }).fill(LIST);
  await page.getByRole("button", { name: "Check the list" }).click();
  const bad = page.getByRole("region", { name: "Entries that cannot be added" }).getByRole("listitem");
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
      addresses: ["ada@example.org", "grace@example.org"],
      owner: false,
      language: "en",
      invitationLanguage: "en",
      contacts: { email: ["alice.archer@example.com"] },
    },
  });
  await leave();
}, 30_000);

test("a file is read in the browser; one that is too large is not sent", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track?several");
  const choose = page.locator("input[type=file]");
  const fileOf = (text: string) => ({ name: "team.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Choose a file" }).waitFor();
  await choose.setInputFiles(fileOf("a".repeat(62_000)));
  await page.getByText("That’s too many").waitFor();
  expect(acts()).toEqual([]);
  await choose.setInputFiles(fileOf("ada@example.org\n"));
  await page.getByText("1 address can be added.").waitFor();
  await page.getByRole("button", { name: "Change the list" }).click();
  expect(await page.getByLabel("Addresses", { exact: true }).inputValue()).toBe("ada@example.org\n");
  await leave();
}, 30_000);

test("if something has changed meanwhile nothing is added, and the list is validated again", async () => {
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
  await page.getByText("1 entry cannot be added:").waitFor();
  await page.getByRole("button", { name: "Add 1 address" }).waitFor();
  await leave();
}, 30_000);
