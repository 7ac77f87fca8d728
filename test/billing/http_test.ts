import { beforeEach, describe, expect, test } from "bun:test";
import type { Composition } from "../../src/compose.ts";
import { MINUTE } from "../support/clock.ts";
import { PASSWORD } from "../support/marked_account.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

type Call = Awaited<ReturnType<typeof signedUp>>;
const ORIGIN = "https://breachbell.example";
const choice = { plan: "professional", period: "monthly", currency: "EUR", quantity: 1, click: "0123456789abcdef" };

let ground: Ground;
let world: Composition;
let call: Call;

beforeEach(async () => {
  ground = memoryGround();
  world = worldOn(ground);
  call = await signedUp(world, "alice@example.com");
});

const answerOf = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) });
const nobody = (method: string, path: string, body?: unknown) =>
  world.app.request(path, {
    method,
    headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const pathOf = (url: unknown) => String(url).replace(ORIGIN, "");
const form = (path: string, act: string, headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin" }) =>
  world.app.request(path, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ act }).toString(),
  });

/** Through the sandbox's page, as a browser would. */
async function buy(more: object = {}): Promise<string> {
  const { url } = (await (await call("POST", "/api/checkout", { ...choice, ...more })).json()) as { url: string };
  const paid = await form(pathOf(url), "pay");
  expect(paid.status).toBe(303);
  return paid.headers.get("Location")?.split("#t=")[1] ?? "";
}

describe("GET /api/plans", () => {
  test("is public, in minor units, with the visitor's most likely currency", async () => {
    const answer = await nobody("GET", "/api/plans");
    expect(await answerOf(answer)).toMatchObject({
      status: 200,
      mode: "sandbox",
      currencies: ["EUR", "USD", "GBP", "CHF"],
      currency: "EUR",
      discount: 8,
      trialDays: 14,
      maxQuantity: 50,
      plans: [
        { plan: "personal", cap: 3, popular: false, multiplies: true },
        { plan: "professional", cap: 10, popular: true, multiplies: true },
        { plan: "business", cap: null, popular: false, multiplies: false },
      ],
    });
    for (const [tags, currency] of [
      ["de-CH,de;q=0.9", "CHF"],
      ["en-GB", "GBP"],
      ["en,en-US;q=0.8", "USD"],
      ["pt-BR", "USD"],
      ["fr", "EUR"],
      [";;;,-,\u00ff", "EUR"],
    ]) {
      const shown = await world.app.request("/api/plans", { headers: { "Accept-Language": tags ?? "" } });
      expect(await shown.json()).toMatchObject({ currency });
    }
  });
});

describe("POST /api/checkout", () => {
  test.each([
    ["plan", "enterprise", "PLAN_UNKNOWN"],
    ["plan", "trial", "PLAN_UNKNOWN"],
    ["plan", undefined, "INVALID_INPUT"],
    ["period", "weekly", "PERIOD_UNKNOWN"],
    ["currency", "JPY", "CURRENCY_UNKNOWN"],
    ["currency", "eur", "CURRENCY_UNKNOWN"],
    ["quantity", 0, "QUANTITY_INVALID"],
    ["quantity", -1, "QUANTITY_INVALID"],
    ["quantity", 51, "QUANTITY_INVALID"],
    ["quantity", 1_000_000, "QUANTITY_INVALID"],
    ["quantity", 1.5, "QUANTITY_INVALID"],
    ["quantity", "abc", "QUANTITY_INVALID"],
    ["quantity", "1", "QUANTITY_INVALID"],
    ["quantity", null, "QUANTITY_INVALID"],
    ["click", "short", "INVALID_INPUT"],
    ["click", "x".repeat(65), "INVALID_INPUT"],
  ])("refuses %s %p", async (field, value, code) => {
    const answer = await call("POST", "/api/checkout", { ...choice, [field]: value });
    expect(await answerOf(answer)).toEqual({ status: 422, code: "INVALID_INPUT", fields: { [field]: code } } as never);
  });

  test("refuses an unlimited plan with a quantity of two, and requests without a session", async () => {
    const twice = await call("POST", "/api/checkout", { ...choice, plan: "business", quantity: 2 });
    expect(await answerOf(twice)).toMatchObject({ status: 422, fields: { quantity: "QUANTITY_INVALID" } });
    for (const [method, path] of [
      ["POST", "/api/checkout"],
      ["POST", "/api/portal"],
      ["POST", "/api/subscription/preview"],
      ["POST", "/api/subscription/change"],
      ["GET", "/api/orders"],
      ["POST", "/api/orders/in_1/invoice"],
    ] as const)
      expect((await nobody(method, path, method === "POST" ? choice : undefined)).status).toBe(401);
  });
});

describe("The whole purchase in the sandbox", () => {
  test("leads from the selection through a page that says no money is charged to the plan, the order and the cap", async () => {
    const answer = (await (await call("POST", "/api/checkout", { ...choice, quantity: 5 })).json()) as { url: string };
    const page = await world.app.request(pathOf(answer.url));
    const html = await page.text();
    expect(page.headers.get("Content-Security-Policy")).not.toContain("unsafe");
    for (const text of ["no money changes hands", "5 × Professional", "€40.00", "alice@example.com"])
      expect(html).toContain(text);
    expect(html).not.toMatch(/ style="/);
    expect((await form(pathOf(answer.url), "pay", {})).status).toBe(403);
    expect((await form(pathOf(answer.url), "pay", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await form(pathOf(answer.url), "leave")).headers.get("Location")).toBe(`${ORIGIN}/en/subscription`);
    const paid = await form(pathOf(answer.url), "pay");
    const session = paid.headers.get("Location")?.split("#t=")[1] ?? "";
    expect(paid.headers.get("Location")).toStartWith(`${ORIGIN}/en/success-order#t=cs_sandbox_`);
    expect((await form(pathOf(answer.url), "pay")).status).toBe(404);

    expect(await answerOf(await call("GET", "/api/check-subscription/"))).toEqual({ status: "active" } as never);
    const shown = await answerOf(await call("POST", "/api/order-success", { session }));
    expect(shown).toMatchObject({ state: "paid", own: true, amount: 4000, cap: 50, account: { name: "Alice Meyer" } });
    expect(await answerOf(await nobody("POST", "/api/order-success", { session }))).toMatchObject({ own: false });
    const bob = await signedUp(world, "bob@example.net");
    for (const wrong of [session, "cs_sandbox_unknown", ""])
      expect(await answerOf(await bob("POST", "/api/order-success", { session: wrong }))).toEqual({
        status: 404,
        code: "ORDER_NOT_FOUND",
      } as never);
    const orders = (await (await call("GET", "/api/orders")).json()) as { items: { id: string }[] };
    expect(orders.items).toMatchObject([{ amount: 4000, currency: "EUR", state: "paid", quantity: 5 }]);
    const path = `/api/orders/${orders.items[0]?.id}/invoice`;
    expect(await answerOf(await bob("POST", path, {}))).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const invoice = (await (await call("POST", path, {})).json()) as { url: string };
    expect(await (await world.app.request(pathOf(invoice.url))).text()).toContain("€40.00");
    await settle(world);
    const subjects = ground.sender.sent.map(({ content }) => content.subject);
    expect(subjects.filter((subject) => subject === "Your 5 × Professional plan is active")).toHaveLength(1);
    expect(ground.errors).toEqual([]);
  });

  test("the portal requires the password again after a quarter of an hour; buying and changing do not", async () => {
    await buy();
    ground.clock.pass(15 * MINUTE);
    const late = await answerOf(await call("POST", "/api/portal", {}));
    expect(late).toEqual({ status: 403, code: "REAUTHENTICATION_REQUIRED" } as never);
    const change = { plan: "personal", period: "monthly", quantity: 1 };
    expect((await call("POST", "/api/subscription/preview", change)).status).toBe(200);
    expect((await call("POST", "/api/confirm-password", { password: PASSWORD })).status).toBe(200);
    expect((await call("POST", "/api/portal", {})).status).toBe(200);
  });

  test("the portal cancels, resumes, fails, charges and refunds", async () => {
    await buy();
    const { url } = (await (await call("POST", "/api/portal", {})).json()) as { url: string };
    const status = async () => answerOf(await call("GET", "/api/subscription"));
    const act = async (name: string) => (await form(pathOf(url), name)).status;
    expect(await (await world.app.request(pathOf(url))).text()).toContain("renews on");
    expect(await act("cancel")).toBe(303);
    expect(await status()).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await act("keep")).toBe(303);
    expect(await status()).toMatchObject({ cancelAtPeriodEnd: false });
    expect([await act("fail"), await act("renew")]).toEqual([303, 303]);
    expect(await (await world.app.request(pathOf(url))).text()).toContain("the last payment failed");
    expect(await act("pay")).toBe(303);
    expect(await status()).toMatchObject({ status: "active", unpaid: false });
    expect(await act("refund")).toBe(303);
    expect(await status()).toMatchObject({ status: "trial", canPortal: true, canChange: false });
    for (const name of ["pay", "cancel", "unknown", ""]) expect(await act(name)).toBe(404);
    for (const path of ["/sandbox/portal/x", "/sandbox/checkout/x", "/sandbox/invoice/x"])
      expect((await world.app.request(path)).status).toBe(404);
  });

  test("changes the plan for the displayed price; fewer addresses than tracked suspend the newest, more resume them", async () => {
    await buy();
    const contacts = { email: ["alice@example.com"] };
    for (let number = 0; number < 5; number++)
      await call("POST", "/api/associations", {
        address: `a${number}@example.com`,
        owner: false,
        language: "en",
        contacts,
      });
    const change = async (wanted: object) => {
      const preview = (await (await call("POST", "/api/subscription/preview", wanted)).json()) as { quote: string };
      return answerOf(await call("POST", "/api/subscription/change", { quote: preview.quote }));
    };
    const personal = { plan: "personal", period: "monthly", quantity: 1 };
    expect(await change(personal)).toMatchObject({ status: 200, state: "changed" });
    await settle(world);
    expect(await answerOf(await call("GET", "/api/check-aggiungere-email/"))).toMatchObject({ can_add_more: false });
    expect(await answerOf(await call("GET", "/api/subscription"))).toMatchObject({ cap: 3, tracked: 5 });
    expect(await change({ ...personal, quantity: 2 })).toMatchObject({ state: "changed" });
    await settle(world);
    expect(await answerOf(await call("GET", "/api/check-aggiungere-email/"))).toMatchObject({ can_add_more: true });
    const same = await call("POST", "/api/subscription/preview", { ...personal, quantity: 2 });
    expect(await answerOf(same)).toMatchObject({ status: 422, code: "PLAN_UNCHANGED" });
    expect(await answerOf(await call("POST", "/api/checkout", choice))).toMatchObject({
      status: 409,
      code: "ALREADY_SUBSCRIBED",
    });
  });
});

describe("POST /api/stripe/webhook", () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    world.app.request("/api/stripe/webhook", { method: "POST", body, headers });

  test("accepts what is signed, cross-origin and without a session; rejects everything else", async () => {
    await buy();
    const { body, signature } = ground.sandbox.tell("customer.subscription.updated", "cus_unknown");
    expect((await post(body, { "Stripe-Signature": signature, "Sec-Fetch-Site": "cross-site" })).status).toBe(200);
    for (const headers of [{}, { "Stripe-Signature": "" }, { "Stripe-Signature": `${signature}x` }])
      expect(await answerOf(await post(body, headers))).toEqual({ status: 400, code: "SIGNATURE_INVALID" } as never);
    expect((await world.app.request("/api/stripe/webhook")).status).toBe(404);
  });

  test("rejects 10 MB without reading them", async () => {
    const answer = await post("x".repeat(10 * 1024 * 1024), { "Content-Length": String(10 * 1024 * 1024) });
    expect(await answerOf(answer)).toEqual({ status: 413, code: "BODY_TOO_LARGE" } as never);
  });
});

test("with billing disabled there is no plan, no payment and no page for it", async () => {
  const adapters = { ...adaptersOn(memoryGround()), sandbox: undefined };
  world = composed(adapters, { billing: "off" });
  call = await signedUp(world, "alice@example.com");
  for (const [method, path, body] of [
    ["GET", "/api/plans", undefined],
    ["POST", "/api/checkout", choice],
    ["POST", "/api/subscription/preview", choice],
    ["POST", "/api/subscription/change", { quote: "" }],
    ["POST", "/api/portal", {}],
    ["POST", "/api/order-success", { session: "cs_1" }],
    ["GET", "/api/orders", undefined],
    ["POST", "/api/orders/in_1/invoice", {}],
    ["POST", "/api/stripe/webhook", {}],
  ] as const)
    expect({ path, status: (await call(method, path, body)).status }).toEqual({ path, status: 404 });
  expect((await world.app.request("/sandbox/checkout/x")).status).toBe(404);
  expect(await answerOf(await call("GET", "/api/subscription"))).toMatchObject({ status: "off", cap: null });
  expect(await answerOf(await call("GET", "/api/check-aggiungere-email/"))).toMatchObject({ can_add_more: true });
});
