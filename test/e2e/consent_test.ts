import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Language } from "../../src/shared/language.ts";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";
import { IS_NIGHTLY } from "../support/tier.ts";
import { invitationLink, mailTo, member, NAMED, open, type Person, trackingSteps } from "./consent_people.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";

let hibp: HibpPeer;
let product: Product;
beforeAll(async () => {
  hibp = await startHibpPeer({ published: "2025-11-14" });
  const env = { HIBP_BASE_URL: hibp.url, HIBP_API_KEY: hibp.apiKey, HIBP_POLL_SECONDS: "1" };
  product = await startProduct(env);
});
afterAll(async () => {
  await product?.stop();
  await hibp?.stop();
  removeDirectory(product.dataDir);
});

/** In the gate one that is not the browser's own. */
const LANGUAGES: Language[] = IS_NIGHTLY ? ["fr", "de"] : ["fr"];

describe.each(LANGUAGES)("Consent without an account, in %s", (language) => {
  const ALICE = `alice-${language}@example.org`;
  const BOB = `bob-${language}@example.org`;
  const LATEST = { Name: `Latest${language}`, Title: `Latest ${language} breach`, DataClasses: ["Passwords"] };
  const day = language === "fr" ? "01" : "02";
  let alice: Person;
  let bob: Visit;
  let manageLink = "";

  beforeAll(async () => {
    hibp.addAccount(BOB, ["Adobe"]);
    [alice, bob] = [await member(product.url, ALICE), await visit(product.url)];
  });
  afterAll(async () => {
    await alice?.close();
    await bob?.close();
  });
  const said = async (words: string) => (await mailTo(product.url, ALICE)).filter(({ text }) => text.includes(words));

  test("the owner is asked by mail, and opening the link changes nothing", async () => {
    const screen = trackingSteps(alice.page, language);
    await screen.ask(BOB);
    await alice.page.waitForURL(`**/${language}/dashboard`);
    await screen.section("sent.title").getByText(BOB).waitFor();
    const link = await invitationLink(product.url, BOB);
    expect(link).toContain(`/${language}/manage-invitation#t=`);
    const { page } = bob;
    await page.goto(link);
    await page.getByRole("heading", { level: 1, name: screen.say("consent.heading", NAMED) }).waitFor();
    await page.getByRole("radio", { name: screen.say("scope.notice") }).waitFor();
    const { total } = (await (await alice.client.call("GET", "/api/invitations/sent")).json()) as { total: number };
    expect(total).toBe(1);
  });

  test("accepting the narrowest scope starts the monitoring, and reveals neither the service nor the data", async () => {
    const owner = trackingSteps(bob.page, language);
    const screen = trackingSteps(alice.page, language);
    expect(await bob.page.getByRole("radio", { name: owner.say("scope.notice") }).isChecked()).toBe(true);
    await owner.button("consent.accept").click();
    await bob.page.getByRole("heading", { level: 1, name: owner.say("granted.heading", NAMED) }).waitFor();
    manageLink = await bob.page.getByLabel(owner.say("granted.link_title"), { exact: true }).inputValue();

    await screen.waitFor("dashboard.tracked", BOB);
    await screen.section("sent.title").getByText(screen.say("sent.empty")).waitFor();
    await screen.section("grants.title").getByText(BOB).waitFor();
    await eventually("a report", async () => (await said(BOB)).length >= 2 || undefined);

    hibp.addAccount(BOB, ["Adobe", LATEST.Name]);
    hibp.publish({ ...LATEST, AddedDate: `2026-08-${day}T10:00:00Z` });
    const alerts = async () =>
      (await (await alice.client.call("GET", "/api/alerts")).json()) as { total: number; items: { breach: unknown }[] };
    const raised = await eventually("the second alert", async () => {
      const found = await alerts();
      return found.total === 2 ? found : undefined;
    });
    expect(raised.items.map(({ breach }) => breach)).toEqual([null, null]);
    await open(alice.page, `/${language}/alerts`);
    await alice.page.getByText(screen.say("alerts.undisclosed")).locator("visible=true").first().waitFor();
    await eventually("its mail", async () => (await said(BOB)).length >= 3 || undefined);
    expect(await said("Adobe")).toEqual([]);
    expect(await said(LATEST.Title)).toEqual([]);
  });

  test("a wider scope through the link for later shows the details, including those of earlier findings", async () => {
    const owner = trackingSteps(bob.page, language);
    await open(bob.page, manageLink);
    await bob.page.getByRole("radio", { name: owner.say("scope.details") }).check();
    await owner.button("granted.save").click();
    await bob.page.getByText(owner.say("granted.saved")).waitFor();
    await eventually("the details", async () => {
      await open(alice.page, `/${language}/screen-track/${BOB}`);
      await alice.page.getByRole("heading", { level: 1 }).getByText(BOB).waitFor();
      await alice.page.locator("#findings").waitFor();
      return (await alice.page.getByText(LATEST.Title).locator("visible=true").first().isVisible()) || undefined;
    });
    await alice.page.getByText("Adobe", { exact: true }).locator("visible=true").first().waitFor();
  });

  test("a withdrawal removes everything, and the inviter is notified", async () => {
    const owner = trackingSteps(bob.page, language);
    const screen = trackingSteps(alice.page, language);
    await bob.page.getByText(owner.say("record.title"), { exact: true }).click();
    // Requested, accepted, changed.
    await bob.page.locator("details li").nth(2).waitFor();
    await owner.button("withdraw.button").click();
    await owner.inDialog("withdraw.button").click();
    await bob.page.getByText(owner.say("withdrawn.text", NAMED)).waitFor();
    await eventually("the mail", async () => (await said(BOB)).find(({ subject }) => /withdrawn/i.test(subject)));
    await screen.waitFor("grants.title", screen.say("grants.empty"));
    expect(await alice.page.getByText(BOB).count()).toBe(0);
    await open(alice.page, `/${language}/screen-track/${BOB}`);
    await alice.page.waitForURL(`**/${language}/error-page?err=MONITORING_NOT_AUTHORISED`);
    await open(bob.page, manageLink);
    await bob.page.getByText(owner.say("INVITATION_INVALID")).waitFor();
    expect([alice.violations, alice.errors, bob.violations, bob.errors]).toEqual([[], [], [], []]);
  });
});

test("a permanent decline: the inviter may not ask again, and nobody else is affected", async () => {
  const CARL = "carl@example.org";
  const [dora, zoe] = [await member(product.url, "dora@example.org"), await member(product.url, "zoe@example.org")];
  const [inviter, other] = [trackingSteps(dora.page, "en"), trackingSteps(zoe.page, "en")];
  await inviter.ask(CARL);
  await dora.page.waitForURL("**/en/dashboard");
  const first = await invitationLink(product.url, CARL);
  const carl = await visit(product.url);
  const owner = trackingSteps(carl.page, "en");
  await carl.page.goto(first);
  await owner.button("consent.decline").click();
  await carl.page.getByRole("checkbox", { name: owner.say("refusal.block") }).check();
  await owner.inDialog("consent.decline").click();
  await carl.page.getByText(owner.say("declined.blocked", NAMED)).waitFor();

  await inviter.waitFor("sent.title", inviter.say("sent.empty"));
  await inviter.ask(CARL);
  await dora.page.getByText(inviter.say("INVITATION_DECLINED_RECENTLY")).first().waitFor();
  expect(await dora.page.getByLabel(inviter.say("track.address"), { exact: true }).inputValue()).toBe(CARL);

  await other.ask(CARL);
  await zoe.page.waitForURL("**/en/dashboard");
  await eventually("the other's invitation", async () => {
    const link = await invitationLink(product.url, CARL);
    return link !== first || undefined;
  });
  for (const person of [dora, zoe, carl]) {
    expect([person.violations, person.errors]).toEqual([[], []]);
    await person.close();
  }
});
