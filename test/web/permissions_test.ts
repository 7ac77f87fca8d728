import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));

test("a request is accepted with the narrowest scope, unless its owner chooses more", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/de/dashboard");
  await page.getByRole("button", { name: "Anfrage von Pat Parent annehmen" }).click();
  const dialog = page.getByRole("dialog", { name: "Adresse auf Datenlecks prüfen lassen?" });
  expect(await dialog.getByLabel("Nur, dass etwas gefunden wurde").isChecked()).toBe(true);
  expect(await dialog.getByRole("checkbox").isChecked()).toBe(false);
  await dialog.getByLabel("Die Einzelheiten").check();
  await dialog.getByRole("button", { name: "Annehmen" }).click();
  await page.getByText("Pat Parent darf Ihre Adresse jetzt überwachen.").waitFor();
  await page
    .getByRole("heading", { name: "Pat Parent möchte Ihre Adresse auf Datenlecks prüfen lassen" })
    .waitFor({ state: "detached" });
  expect(acts()).toEqual([
    { call: "POST /api/invitations/r1/accept", body: { details: true, sensitive: false, language: "de" } },
  ]);
  await leave();
}, 30_000);

test("a request for the own second account starts with the full scope, and can be narrowed", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Accept A. Archer’s request" }).click();
  const dialog = page.getByRole("dialog", { name: "Allow your address to be tracked?" });
  await dialog.getByText("Only accept if A. Archer is you, using another account").waitFor();
  expect(await dialog.getByLabel("The details").isChecked()).toBe(true);
  expect(await dialog.getByRole("checkbox").isChecked()).toBe(true);
  await dialog.getByLabel("Only that something was found").check();
  await dialog.getByRole("button", { name: "Accept" }).click();
  await page.getByText("A. Archer may now track your address.").waitFor();
  expect(acts()).toMatchObject([{ body: { details: false } }]);
  await leave();
}, 30_000);

test("a request is declined with or without a block; a cancelled dialog forgets its ticks", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  const dialog = page.getByRole("dialog", { name: "Decline this request?" });
  await page.getByRole("button", { name: "Decline Pat Parent’s request" }).click();
  await dialog.getByLabel("Pat Parent may never ask again").check();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Decline Pat Parent’s request" }).click();
  await dialog.getByRole("button", { name: "Decline" }).click();
  await page.getByText("You have declined Pat Parent’s request.").waitFor();
  await page.getByRole("button", { name: "Decline A. Archer’s request" }).click();
  await dialog.getByLabel("A. Archer may never ask again").check();
  await dialog.getByRole("button", { name: "Decline" }).click();
  await page.getByText("You have declined A. Archer’s request.").waitFor();
  await page.getByText("No one is asking to track your address.").waitFor();
  expect(acts()).toEqual([
    { call: "POST /api/invitations/r1/decline", body: { block: false } },
    { call: "POST /api/invitations/r2/decline", body: { block: true } },
  ]);
  await leave();
}, 30_000);

test("those who may see my address can be narrowed, viewed in the record, and ended", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByText("Visible: The details, including sensitive breaches").waitFor();
  await page.getByRole("button", { name: "Change what Erin Example sees" }).click();
  const scope = page.getByRole("dialog", { name: "Change what is visible" });
  expect(await scope.getByLabel("The details").isChecked()).toBe(true);
  await scope.getByLabel("Only that something was found").check();
  await scope.getByLabel("Include sensitive breaches").uncheck();
  await scope.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("What Erin Example sees has been changed.").waitFor();
  await page.getByRole("button", { name: "Record of consent: Erin Example" }).click();
  const record = page.getByRole("dialog", { name: "Record of consent" });
  await record.getByText("The owner agreed").waitFor();
  expect(await record.getByRole("listitem").count()).toBe(3);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Withdraw Erin Example’s permission" }).click();
  const withdrawal = page.getByRole("dialog", { name: "Withdraw this permission?" });
  await withdrawal.getByLabel("Erin Example may never ask again").check();
  await withdrawal.getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("Erin Example no longer tracks your address.").waitFor();
  await page.getByRole("heading", { name: "Erin Example tracks your address" }).waitFor({ state: "detached" });
  expect(acts()).toEqual([
    { call: "PUT /api/grants/g2/scope", body: { details: false, sensitive: false, language: "en" } },
    { call: "POST /api/grants/g2/withdraw", body: { block: true } },
  ]);
  await leave();
}, 30_000);

test("a sent invitation shows when it was sent or that it is pending, and is cancelled after a confirmation", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  const section = page.getByRole("region", { name: "Sent Invitations" });
  await section.getByText("Queued").waitFor();
  expect(await section.getByText("Sent on").count()).toBe(2);
  await page.getByRole("button", { name: "Cancel invitation: carol@example.com" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this invitation?" });
  expect(acts()).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel invitation" }).click();
  await page.getByText("The invitation to carol@example.com has been cancelled.").waitFor();
  await section.getByText("carol@example.com").waitFor({ state: "detached" });
  expect(acts()).toEqual([{ call: "POST /api/invitations/i1/cancel", body: {} }]);
  await leave();
}, 30_000);

test("the modal says if somebody else was first, and the list is loaded again", async () => {
  const late = { status: 410, body: { code: "INVITATION_INVALID" } };
  // Nothing is in progress, so the list is not polled.
  opened.site.set({ answers: { "POST /api/invitations/r1/accept": late }, associations: [], sent: [] });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Accept Pat Parent’s request" }).click();
  opened.site.stage.requests = [];
  await page
    .getByRole("dialog", { name: "Allow your address to be tracked?" })
    .getByRole("button", { name: "Accept" })
    .click();
  await page.getByText("Invalid token or invitation already processed.").waitFor();
  await page.getByText("No one is asking to track your address.").waitFor({ state: "attached" });
  await leave();
}, 30_000);

test("a request that disappears while it is being answered keeps the dialog and its ticks", async () => {
  const late = { status: 410, body: { code: "INVITATION_INVALID" } };
  opened.site.set({ answers: { "POST /api/invitations/r1/accept": late } });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Accept Pat Parent’s request" }).click();
  const dialog = page.getByRole("dialog", { name: "Allow your address to be tracked?" });
  await dialog.getByLabel("The details").check();
  // While a first mail is in progress the list is polled each second.
  opened.site.stage.requests = [];
  await page.getByText("No one is asking to track your address.").waitFor({ state: "attached" });
  expect(await dialog.getByLabel("The details").isChecked()).toBe(true);
  await dialog.getByRole("button", { name: "Accept" }).click();
  await page.getByText("Invalid token or invitation already processed.").waitFor();
  await leave();
}, 30_000);
