import { afterAll, beforeAll, expect, test } from "bun:test";
import { CHANNELS } from "../../src/shared/contacts.ts";
import { openSite, settled } from "./browser.ts";
import { scene } from "./fake_api.ts";
import { contact, delivery, manyContacts, manyDeliveries, ownContact } from "./fake_contacts.ts";
import { openFolds } from "./folds.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const instance = { ...scene().instance, channels: [...CHANNELS] };

test("the sidebar and the alerts link to the tests", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts");
  await settled(page);
  const ways = page.getByRole("link", { name: "Test Alerts", exact: true });
  expect(await ways.count()).toBe(2);
  await ways.last().click();
  await page.waitForURL("**/en/test-alerts");
  await page.getByText("What would you like to test?").waitFor();
  await leave();
}, 30_000);

test("each tested channel needs a contact, in the specification's words", async () => {
  opened.site.set({ instance, contacts: [ownContact()] });
  const { page, leave } = await opened.visit("/en/test-alerts");
  const submit = page.getByRole("button", { name: /^Send/ });
  for (const [kind, sentence] of [
    ["Telegram", "Add at least one Telegram contact."],
    ["Pushover", "Add at least one Pushover contact."],
  ] as const) {
    await page.getByRole("checkbox", { name: kind, exact: true }).check();
    await submit.click();
    await page.getByText(sentence).waitFor();
    await page.getByRole("checkbox", { name: kind, exact: true }).uncheck();
    expect(await page.getByText(sentence).count()).toBe(0);
  }
  await page.getByRole("checkbox", { name: "alice.archer@example.com" }).uncheck();
  await submit.click();
  await page.getByText("Add at least one email address.").waitFor();
  await page.getByRole("checkbox", { name: "Email", exact: true }).uncheck();
  await submit.click();
  await page.getByText("Select at least one notification method").waitFor();
  expect(acts()).toEqual([]);
  await leave();
}, 30_000);

test("working contacts are preselected; each outcome appears as it happens, with what to do", async () => {
  const test1 = (change: Parameters<typeof delivery>[1]) => delivery("t", { kind: "test", ...change });
  opened.site.set({ instance, contacts: manyContacts(), deliveries: [test1({ state: "sending" })] });
  const { page, leave } = await opened.visit("/en/test-alerts");
  await page.getByRole("checkbox", { name: "Telegram", exact: true }).check();
  await page.getByRole("checkbox", { name: "@alice_bell Not connected" }).check();
  await page.getByRole("button", { name: "Send 5 tests" }).click();
  const results = page.getByRole("region", { name: "Results" });
  await results.getByText("Being sent").waitFor();
  opened.site.stage.deliveries = [
    test1({ providerId: "<1@breachbell.example>" }),
    test1({ contactId: "c3", channel: "telegram", value: "alice_bell", state: "waiting", reason: "unconfirmed" }),
  ];
  const row = results.getByRole("listitem").filter({ hasText: "@alice_bell" });
  await row.getByText("Not connected yet: someone must open the bot and press “Start”.").waitFor();
  await results.getByText("Accepted by the provider").first().waitFor();
  await row.getByRole("link", { name: "See your contacts" }).click();
  await page.waitForURL("**/en/contacts");
  expect(acts()).toEqual([{ call: "POST /api/test-alerts", body: { contactIds: ["c1", "c3", "c7", "c8", "c10"] } }]);
  await leave();
}, 30_000);

test("too many tests in an hour are refused with a message, and the selection stays", async () => {
  opened.site.set({ answers: { "POST /api/test-alerts": { status: 429, body: { code: "RATE_LIMITED" } } } });
  const { page, leave } = await opened.visit("/en/test-alerts");
  await page.getByRole("button", { name: "Send 1 test" }).click();
  await page.getByRole("dialog", { name: "The test could not be sent" }).getByText("Close").click();
  expect(await page.getByRole("checkbox", { name: "alice.archer@example.com" }).isChecked()).toBe(true);
  await leave();
}, 30_000);

test("no more than twenty are tested together", async () => {
  const contacts = Array.from({ length: 22 }, (_, index) => contact(`m${index}`, {}));
  opened.site.set({ contacts });
  const { page, leave } = await opened.visit("/en/test-alerts");
  await page.getByRole("button", { name: "Send 20 tests" }).waitFor();
  await page.getByRole("checkbox", { name: "m21@example.org" }).check();
  await page.getByText("You can test up to 20 contacts at once.").waitFor();
  expect(await page.getByRole("button", { name: "Send 21 tests" }).isDisabled()).toBe(true);
  await leave();
}, 30_000);

test("an alert shows the outcome of each of its messages", async () => {
  opened.site.set({ deliveries: manyDeliveries() });
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  await openFolds(page.getByRole("dialog"));
  const list = page.getByRole("dialog").getByRole("region", { name: "Messages about this alert" });
  await list.getByText("Accepted by the provider").first().waitFor();
  const retrying = list.getByRole("listitem").filter({ hasText: "Will be retried" });
  for (const part of ["3 attempts", "Next attempt in 4 minutes", "It may have arrived twice", "ETIMEDOUT"])
    expect(await retrying.textContent()).toContain(part);
  const first = list.getByRole("listitem").first();
  expect(await first.textContent()).toContain("Provider reference: <5f0c@breachbell.example>");
  opened.site.stage.deliveries = [];
  await list.getByText("No messages were sent about this alert.").waitFor();
  await leave();
}, 30_000);
