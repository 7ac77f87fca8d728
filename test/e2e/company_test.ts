import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { invitationLink, member, type Person, trackingSteps } from "./consent_people.ts";
import { contradictions, type Sample, sampleDashboard } from "./dashboard_samples.ts";
import { eventually, type Product, removeDirectory, startProduct, visit } from "./product.ts";
import { purchaseSteps } from "./purchase_steps.ts";

const ADMINISTRATOR = "administrator@example.org";
const [GRACE, ALAN, ADA] = ["grace@example.com", "alan@example.com", "ada@example.com"];

/** A small company's administrator with a paid plan, on embedded defaults. Each test continues where the previous one stopped. */
describe("The administrator of a small company", () => {
  let product: Product;
  let administrator: Person;
  let shown: Sample[];

  beforeAll(async () => {
    product = await startProduct();
    administrator = await member(product.url, ADMINISTRATOR);
    shown = await sampleDashboard(administrator.page);
    await administrator.page.goto("/en/dashboard");
    await administrator.page.getByText("Track your first address").waitFor();
  });
  afterAll(async () => {
    await administrator?.close();
    await product?.stop();
    removeDirectory(product.dataDir);
  });

  const row = (address: string, words: string) =>
    administrator.page.getByRole("row").filter({ hasText: address }).filter({ hasText: words });

  async function answer(address: string, key: "consent.accept" | "consent.decline"): Promise<void> {
    const owner = await visit(product.url);
    const screen = trackingSteps(owner.page, "en");
    await owner.page.goto(await invitationLink(product.url, address));
    if (key === "consent.accept") await owner.page.getByRole("radio", { name: screen.say("scope.details") }).check();
    await screen.button(key).click();
    if (key === "consent.decline") await screen.inDialog(key).click();
    const buttons = owner.page.getByRole("button", { name: screen.say(key), exact: true });
    await eventually("the answer is saved", async () => (await buttons.count()) === 0 || undefined);
    expect([owner.violations, owner.errors]).toEqual([[], []]);
    await owner.close();
  }

  test("buys a plan with room for the staff", async () => {
    const { page } = administrator;
    const screen = purchaseSteps(page, "en");
    await page.goto("/en/subscription");
    await screen.choose({ plan: "professional", quantity: 1, currency: "CHF" });
    await screen.button("plans.select", { plan: "Professional" }).click();
    await page.waitForURL("**/sandbox/checkout/**");
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForURL("**/en/success-order");
  });

  test("adds a list of addresses in one request", async () => {
    const { page } = administrator;
    const screen = trackingSteps(page, "en");
    await page.goto("/en/new-track");
    await page.getByRole("link", { name: screen.say("bulk.several") }).click();
    await page.getByLabel(screen.say("bulk.list"), { exact: true }).fill([ADMINISTRATOR, GRACE, ALAN, ADA].join("\n"));
    await screen.button("bulk.check").click();
    await screen.button("bulk.submit", { count: 4 }).click();
    await page.waitForURL("**/en/dashboard");
    await row(ADMINISTRATOR, "Safe").waitFor();
    for (const address of [GRACE, ALAN, ADA]) await screen.section("sent.title").getByText(address).waitFor();
  });

  test("sees who accepted and who declined, without reloading", async () => {
    const screen = trackingSteps(administrator.page, "en");
    await answer(GRACE, "consent.accept");
    await row(GRACE, "Breached").waitFor();
    await answer(ALAN, "consent.decline");
    await answer(ADA, "consent.accept");
    await row(ADA, "Breached").waitFor();
    await screen.section("sent.title").getByText(screen.say("sent.empty")).waitFor();
  });

  test("pauses one address, ends another, and handles what was found", async () => {
    const { page } = administrator;
    const screen = trackingSteps(page, "en");
    const choose = async (address: string, key: string) => {
      await screen.button("table.more", { address }).click();
      await page.getByRole("menuitem", { name: screen.say(key), exact: true }).click();
    };
    await choose(GRACE, "association.pause");
    await row(GRACE, "paused").waitFor();
    await choose(GRACE, "association.resume");
    await row(GRACE, "Breached").waitFor();
    await choose(ADA, "association.remove");
    await screen.inDialog("association.remove_confirm").click();
    await row(ADA, "").waitFor({ state: "detached" });

    const { items } = (await (await administrator.client.call("GET", "/api/alerts?state=pending")).json()) as {
      items: { id: string; version: number; address: string }[];
    };
    expect([...new Set(items.map(({ address }) => address))]).toEqual([GRACE]);
    await page.goto("/en/alerts");
    await page.getByRole("checkbox", { name: screen.say("alerts.select_all") }).check();
    await screen.button("alerts.handle_some", { count: items.length }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: screen.say("alerts.handle_some", { count: items.length }) })
      .click();
    await page.goto("/en/dashboard");
    await row(GRACE, "Safe").waitFor();
  });

  test("never saw a dashboard that contradicted itself", () => {
    const standings = new Set(shown.map(({ standing }) => standing));
    for (const standing of ["first", "attention", "calm"]) expect([...standings]).toContain(standing);
    expect(contradictions(shown)).toEqual([]);
    expect([administrator.violations, administrator.errors]).toEqual([[], []]);
  });

  test("detects a contradiction", () => {
    const calm = shown.find(({ standing }) => standing === "calm");
    const found = shown.find(({ standing, rows }) => standing === "attention" && rows.length > 1);
    if (!calm || !found) throw new Error("The dashboard was never calm, or nothing was found");
    const brokenBy = (sample: Sample, before?: Sample) =>
      contradictions(before ? [before, sample] : [sample]).map(({ broken }) => broken);
    const unchecked = calm.rows.map((row) => ({ ...row, isChecked: false }));
    expect(brokenBy({ ...found, tone: "safe" })).toHaveLength(1);
    expect(brokenBy({ ...calm, rows: unchecked }, calm)).toHaveLength(3);
    expect(
      brokenBy({ ...found, headline: "3 of 9 addresses need attention", hint: "1 alert to handle." }),
    ).toHaveLength(2);
    expect(brokenBy({ ...calm, sent: [`${ADMINISTRATOR}Invitation`] })).toHaveLength(2);
  });
});
