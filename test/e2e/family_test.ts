import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { invitationLink, member, NAMED, type Person, trackingSteps } from "./consent_people.ts";
import { contradictions, type Sample, sampleDashboard } from "./dashboard_samples.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";

const GRANDMOTHER = "katherine@example.net";

/**
 * A daughter tracks the address of her grandmother, who has no account at first. Both leave their dashboards open and never
 * reload. Each test continues where the previous one stopped.
 */
describe("A family with the embedded defaults", () => {
  let product: Product;
  let daughter: Person;
  let owner: Visit;
  let grandmother: Person;
  let shown: Sample[];
  let shownToGrandmother: Sample[];

  beforeAll(async () => {
    product = await startProduct();
    [daughter, owner] = [await member(product.url, "daughter@example.org"), await visit(product.url)];
  });
  afterAll(async () => {
    for (const person of [daughter, owner, grandmother]) await person?.close();
    await product?.stop();
    removeDirectory(product.dataDir);
  });

  const row = ({ page }: Visit, words: string) =>
    page.getByRole("row").filter({ hasText: GRANDMOTHER }).filter({ hasText: words });

  test("an invitation is listed until its answer", async () => {
    const screen = trackingSteps(daughter.page, "en");
    await daughter.page.goto("/en/dashboard");
    shown = await sampleDashboard(daughter.page);
    await screen.ask(GRANDMOTHER);
    await daughter.page.waitForURL("**/en/dashboard");
    await screen.section("sent.title").getByText(GRANDMOTHER).waitFor();
  });

  test("once accepted, the address moves to the tracked ones and shows what was found", async () => {
    const asked = trackingSteps(owner.page, "en");
    await owner.page.goto(await invitationLink(product.url, GRANDMOTHER));
    await owner.page.getByRole("radio", { name: asked.say("scope.details") }).check();
    await asked.button("consent.accept").click();
    await owner.page.getByRole("heading", { level: 1, name: asked.say("granted.heading", NAMED) }).waitFor();
    await row(daughter, "Breached").waitFor();
    const screen = trackingSteps(daughter.page, "en");
    await screen.section("sent.title").getByText(screen.say("sent.empty")).waitFor();
    await screen.section("grants.title").getByText(GRANDMOTHER).waitFor();
  });

  test("her own dashboard shows the same, and who manages it", async () => {
    grandmother = await member(product.url, GRANDMOTHER);
    await grandmother.page.goto("/en/dashboard");
    shownToGrandmother = await sampleDashboard(grandmother.page);
    await row(grandmother, "Managed by Alice Meyer").filter({ hasText: "Breached" }).waitFor();
    const hers = shownToGrandmother.at(-1)?.rows[0];
    const [daughters] = shown.at(-1)?.rows ?? [];
    expect(hers).toMatchObject({ status: daughters?.status, alerts: daughters?.alerts, isChecked: true });
  });

  test("a withdrawal ends it on both dashboards", async () => {
    const screen = trackingSteps(grandmother.page, "en");
    await screen.button("grants.withdraw_label", NAMED).click();
    await screen.inDialog("grants.withdraw").click();
    await row(grandmother, "Managed by").waitFor({ state: "detached" });
    await row(daughter, "Breached").waitFor({ state: "detached" });
    const hers = trackingSteps(daughter.page, "en");
    await hers.section("grants.title").getByText(hers.say("grants.empty")).waitFor();
  });

  test("no dashboard ever contradicted itself", () => {
    expect(shown.length).toBeGreaterThan(3);
    expect(shownToGrandmother.length).toBeGreaterThan(1);
    expect(contradictions(shown)).toEqual([]);
    expect(contradictions(shownToGrandmother)).toEqual([]);
    for (const { violations, errors } of [daughter, owner, grandmother]) expect([violations, errors]).toEqual([[], []]);
  });
});
