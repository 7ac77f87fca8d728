import { afterAll, beforeAll, expect, test } from "bun:test";
import { invitationLink, member, NAMED, type Person, trackingSteps } from "./consent_people.ts";
import { type Product, removeDirectory, startProduct, visit } from "./product.ts";

/** An example address of the bundled source, which is in the Adobe breach. */
const ADA = "ada@example.com";

let product: Product;
const people: Person[] = [];
beforeAll(async () => {
  product = await startProduct({ BILLING: "off" });
});
afterAll(async () => {
  await product?.stop();
  removeDirectory(product.dataDir);
});

async function arrives(email: string): Promise<Person> {
  const person = await member(product.url, email);
  people.push(person);
  return person;
}

async function leave(): Promise<void> {
  for (const { violations, errors, close } of people.splice(0)) {
    expect([violations, errors]).toEqual([[], []]);
    await close();
  }
}

test("an own second address is confirmed by a link and then monitored", async () => {
  const SECOND = "grace.other@example.com";
  const { page } = await arrives("grace@example.com");
  const screen = trackingSteps(page, "it");
  await screen.ask(SECOND, { owner: true });
  await page.waitForURL("**/it/dashboard");
  await screen.section("sent.title").getByText(screen.say("sent.ownership")).waitFor();
  const mailbox = await visit(product.url);
  const reader = trackingSteps(mailbox.page, "it");
  await mailbox.page.goto(await invitationLink(product.url, SECOND));
  await mailbox.page.getByRole("heading", { level: 1, name: reader.say("ownership.heading") }).waitFor();
  await reader.button("ownership.confirm").click();
  await mailbox.page.getByText(reader.say("ownership.done")).waitFor();
  expect(mailbox.violations).toEqual([]);
  await mailbox.close();
  await screen.waitFor("dashboard.tracked", SECOND);
  await screen.section("grants.title").getByText(screen.say("grants.own")).waitFor();
  await leave();
});

test("an owner with an account decides on the dashboard, sees who tracks the address, and withdraws there", async () => {
  const [watched, inviter] = [await arrives("alan@example.com"), await arrives("inviter@example.org")];
  const [asks, answers] = [trackingSteps(inviter.page, "en"), trackingSteps(watched.page, "en")];
  await asks.ask("alan@example.com");
  await inviter.page.waitForURL("**/en/dashboard");
  await answers.waitFor("requests.title", answers.say("requests.invitation", NAMED));
  await answers.button("requests.accept_label", NAMED).click();
  await watched.page
    .getByRole("dialog")
    .getByRole("radio", { name: answers.say("scope.details") })
    .check();
  await answers.inDialog("requests.accept").click();
  await answers.section("grants.title").getByText(answers.say("grants.watches", NAMED)).waitFor();
  await answers.section("requests.title").getByText(answers.say("requests.empty")).waitFor();

  await asks.waitFor("dashboard.tracked", "alan@example.com");
  await answers
    .section("grants.title")
    .getByRole("link", { name: answers.say("grants.see") })
    .click();
  await watched.page.getByText(answers.say("monitor.managed_by", NAMED)).waitFor();
  // What another account manages cannot be changed.
  expect(await watched.page.getByRole("link", { name: answers.say("monitor.edit") }).count()).toBe(0);

  await watched.page.goto("/en/dashboard");
  await answers.button("grants.withdraw_label", NAMED).click();
  await answers.inDialog("grants.withdraw").click();
  await answers.section("grants.title").getByText(answers.say("grants.empty")).waitFor();
  await asks.waitFor("grants.title", asks.say("grants.empty"));
  await leave();
});

test("a pasted list shows its invalid lines, and the owners of the valid ones are asked", async () => {
  const { page } = await arrives("hedy@example.org");
  const screen = trackingSteps(page, "es");
  await page.goto("/es/new-track?several");
  const lines = ["one@example.org", "not an address", "two@example.org", "One@Example.ORG", "three@example.org"];
  await page.getByLabel(screen.say("bulk.list"), { exact: true }).fill(lines.join("\n"));
  await screen.button("bulk.check").click();
  await page.getByText(screen.say("bulk.good", { count: 3 })).waitFor();
  const bad = page.getByRole("region", { name: screen.say("bulk.bad_list") }).getByRole("listitem");
  expect(await bad.count()).toBe(2);
  const reasons = [
    [2, "not an address", "EMAIL_INVALID"],
    [4, "One@Example.ORG", "LINE_DUPLICATE"],
  ] as const;
  for (const [index, [line, typed, code]] of reasons.entries()) {
    const words = await bad.nth(index).textContent();
    for (const part of [screen.say("bulk.line", { line }), typed, screen.say(code)]) expect(words).toContain(part);
  }
  await screen.button("bulk.submit", { count: 3 }).click();
  await page.waitForURL("**/es/dashboard");
  for (const name of ["one", "two", "three"]) await screen.waitFor("sent.title", `${name}@example.org`);
  await leave();
});

test("an address is shown with all its data, is paused, gets another contact, and is resumed", async () => {
  const { page, client } = await arrives(ADA);
  const screen = trackingSteps(page, "pt");
  await page.goto("/pt/new-track");
  await screen.button("track.submit").click();
  await page.waitForURL("**/pt/dashboard");
  await screen.waitFor("dashboard.tracked", screen.say("status.breached"));
  await page.getByRole("row", { name: ADA }).getByRole("link", { name: ADA }).click();
  await page.locator("#findings").waitFor();
  for (const title of ["Adobe", "LinkedIn", "Dropbox"])
    await page
      .locator("section", { has: page.locator("#findings") })
      .getByText(title, { exact: true })
      .first()
      .waitFor();
  await page.getByRole("region", { name: screen.say("monitor.summary") }).waitFor();
  await page.getByRole("heading", { name: screen.say("enables.title") }).click();
  await page.getByText(screen.say("enables.password")).waitFor();

  await page.getByRole("link", { name: screen.say("monitor.edit") }).click();
  await page.waitForURL("**/pt/update-track/*");
  await page.getByRole("checkbox", { name: screen.say("update.paused") }).check();
  await page.getByRole("combobox", { name: screen.say("contacts.email") }).fill("friend@example.net");
  await page.keyboard.press("Enter");
  await screen.button("update.save").click();
  await page.waitForURL("**/pt/dashboard");
  await screen.waitFor("dashboard.tracked", screen.say("association.reason_paused"));
  const { items } = (await (await client.call("GET", "/api/associations")).json()) as {
    items: { status: string; contacts: { value: string }[] }[];
  };
  expect(items).toMatchObject([{ status: "inactive", contacts: [{ value: ADA }, { value: "friend@example.net" }] }]);

  await screen.button("table.more", { address: ADA }).click();
  await page.getByRole("menuitem", { name: screen.say("association.resume") }).click();
  await screen.section("dashboard.tracked").getByText(screen.say("status.breached"), { exact: true }).first().waitFor();
  await leave();
});
