import { describe, expect, test } from "bun:test";
import { type PortalAct, sandboxActs } from "../src/billing/adapters/sandbox/sandbox_acts.ts";
import { DAY, HOUR, MINUTE } from "./support/clock.ts";
import { memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const ALICE = "alice@breachbell.example";
const BOB = "bob@example.net";
const PERSONAL = { plan: "personal", period: "monthly", currency: "CHF", quantity: 1 };
const PROFESSIONAL = { ...PERSONAL, plan: "professional" };
const STOPPED = "Data breach checks of your email address are paused";
const RESUMED = "Data breach checks of your email address have resumed";
const OWN = ["alice@one.example", "alice@two.example"];

/** Alice tracks her own addresses, and lastly Bob's, with his consent. */
async function watchingBob(own: string[] = [], plan?: typeof PERSONAL) {
  const ground = memoryGround();
  const world = worldOn(ground);
  const { billing, invitations } = world;
  const acts = sandboxActs(ground.sandbox);
  const call = await signedUp(world, ALICE);
  await world.breaches.syncCatalogue();

  async function run(): Promise<void> {
    await settle(world);
    await billing.settleDue();
    await billing.reconcileDue();
    await billing.sendPlanNotices();
    await settle(world);
  }
  const tokenTo = (address: string) =>
    /manage-invitation#t=([\w-]+)/.exec(
      JSON.stringify(ground.sender.sent.findLast(({ to }) => to.value === address)),
    )?.[1] ?? "";
  async function track(address: string): Promise<void> {
    const body = { address, owner: address !== BOB, language: "en", contacts: { email: [ALICE] } };
    expect((await call("POST", "/api/associations", body)).status).toBe(201);
    await run();
    if (address === ALICE) return;
    const accepted = await invitations.acceptLink(tokenTo(address), { details: true, sensitive: false });
    expect(accepted.ok).toBe(true);
    ground.clock.pass(MINUTE);
    await run();
  }
  const told = (address: string) =>
    ground.sender.sent
      .filter(({ to, kind = "" }) => to.value === address && /^(plan|trial|payment|watching)_/.test(kind))
      .map(({ content }) => content.subject);
  const heard = { alice: 0, bob: 0 };

  async function buy(choice: object): Promise<void> {
    const answer = await call("POST", "/api/checkout", { ...choice, click: crypto.randomUUID() });
    const { url } = (await answer.json()) as { url: string };
    const event = acts.pay(url.split("/").at(-1) ?? "");
    if (!event) throw new Error("Cannot pay: the page is not open");
    await billing.takePaymentEvent(event.body, event.signature);
    await run();
  }
  async function change({ plan, period, quantity }: typeof PERSONAL): Promise<void> {
    const preview = await call("POST", "/api/subscription/preview", { plan, period, quantity });
    const { quote } = (await preview.json()) as { quote: string };
    expect((await call("POST", "/api/subscription/change", { quote })).status).toBe(200);
    await run();
  }
  async function portal(act: PortalAct): Promise<void> {
    const { url } = (await (await call("POST", "/api/portal", {})).json()) as { url: string };
    const event = acts.act(url.split("/").at(-1) ?? "", act);
    if (!event) throw new Error(`Cannot ${act}`);
    await billing.takePaymentEvent(event.body, event.signature);
    await run();
  }

  /** The new messages to both about plans and monitoring. */
  function news() {
    const [alice, bob] = [told(ALICE).slice(heard.alice), told(BOB).slice(heard.bob)];
    heard.alice += alice.length;
    heard.bob += bob.length;
    return { alice, bob };
  }
  const bobsStatus = async () => {
    const page = (await (await call("GET", "/api/associations")).json()) as {
      items: { address: string; status: string }[];
    };
    return page.items.find(({ address }) => address === BOB)?.status;
  };
  if (plan) await buy(plan);
  for (const address of [...own, BOB]) await track(address);
  news();
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 12 * HOUR) {
      ground.clock.pass(Math.min(left, 12 * HOUR));
      await run();
    }
    // Her session has expired meanwhile.
    await call("POST", "/api/login", { email: ALICE, password: "Tranquil-Harbour-42" });
    await settle(world);
    expect((await call("POST", "/api/verify-code", { code: "123456" })).status).toBe(200);
  }
  return { ground, buy, change, portal, pass, news, bobsStatus };
}

describe("Payer and watched person are notified", () => {
  test("when the trial ends, and when a plan is bought after it", async () => {
    const { pass, news, buy, bobsStatus } = await watchingBob();
    await pass(14 * DAY - HOUR);
    expect(news()).toEqual({
      alice: ["Your free trial ends within 7 days", "Your free trial ends within a day", "Your free trial ends today"],
      bob: [],
    });
    await pass(2 * HOUR);
    expect(news()).toEqual({ alice: ["Your free trial has ended"], bob: [STOPPED] });
    expect(await bobsStatus()).toBe("inactive");
    await buy(PERSONAL);
    expect(news()).toEqual({ alice: ["Your Personal plan is active"], bob: [RESUMED] });
    expect(await bobsStatus()).toBe("safe");
  });

  test("when a payment fails, its grace is over, and it is paid", async () => {
    const { pass, news, buy, portal, bobsStatus } = await watchingBob();
    await buy(PERSONAL);
    news();
    await portal("fail");
    await pass(31 * DAY);
    expect(news()).toEqual({ alice: ["A payment has failed"], bob: [] });
    expect(await bobsStatus()).toBe("safe");
    await pass(7 * DAY);
    expect(news()).toEqual({
      alice: [
        ...Array.from({ length: 3 }, () => "Your payment is still outstanding"),
        "Your addresses are no longer checked",
      ],
      bob: [STOPPED],
    });
    expect(await bobsStatus()).toBe("inactive");
    await portal("pay");
    expect(news()).toEqual({ alice: ["We’ve received your payment"], bob: [RESUMED] });
    expect(await bobsStatus()).toBe("safe");
  });

  test("when a cancelled plan ends, and another one is bought", async () => {
    const { pass, news, buy, portal, bobsStatus } = await watchingBob();
    await buy(PERSONAL);
    news();
    await portal("cancel");
    expect(news()).toEqual({ alice: ["Your plan ends on December 20, 2026"], bob: [] });
    await pass(30 * DAY);
    const { alice, bob } = news();
    expect(alice.at(-1)).toBe("Your plan has ended");
    expect(bob).toEqual([STOPPED]);
    expect(await bobsStatus()).toBe("inactive");
    await buy(PROFESSIONAL);
    expect(news()).toEqual({ alice: ["Your Professional plan is active"], bob: [RESUMED] });
  });

  test("when Bob's address exceeds the cap of a smaller plan, and when it is covered again", async () => {
    const { ground, news, change, bobsStatus } = await watchingBob([ALICE, ...OWN], PROFESSIONAL);
    await change(PERSONAL);
    expect(news()).toEqual({ alice: ["Your plan is now Personal"], bob: [STOPPED] });
    expect(JSON.stringify(ground.sender.sent.find(({ kind }) => kind === "plan_changed"))).toContain(
      "checks of the newest ones stop",
    );
    expect(await bobsStatus()).toBe("inactive");
    await change(PROFESSIONAL);
    expect(news()).toEqual({ alice: ["Your plan is now Professional"], bob: [RESUMED] });
    expect(await bobsStatus()).toBe("safe");
    expect(ground.errors).toEqual([]);
  });

  test("when the next plan covers less than the one that has ended", async () => {
    const { ground, pass, news, buy, portal, bobsStatus } = await watchingBob([ALICE, ...OWN], PROFESSIONAL);
    await portal("cancel");
    await pass(30 * DAY);
    expect(news().bob).toEqual([STOPPED]);
    await buy(PERSONAL);
    // Bob was notified already, and nothing has changed for him.
    expect(news()).toEqual({ alice: ["Your Personal plan is active"], bob: [] });
    expect(JSON.stringify(ground.sender.sent.findLast(({ kind }) => kind === "plan_started"))).toContain(
      "checks of the newest ones stop",
    );
    expect(await bobsStatus()).toBe("inactive");
  });
});
