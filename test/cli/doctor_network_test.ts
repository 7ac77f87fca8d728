import { afterEach, describe, expect, test } from "bun:test";
import { ask } from "../../src/cli/doctor_finding.ts";
import { HIBP_TEST_KEY, startHibpPeer } from "../support/hibp_peer.ts";
import { NTFY_TOKEN, startNtfyPeer } from "../support/ntfy_peer.ts";
import { APP_TOKEN } from "../support/pushover_peer.ts";
import { afterwards, bench, closeAll, findings, peer } from "./doctor_bench.ts";

type Answers = Parameters<typeof peer>[0];

afterEach(closeAll);

describe("doctor's network checks", () => {
  const hibp = (url: string) => bench({ HIBP_API_KEY: HIBP_TEST_KEY, HIBP_BASE_URL: url });

  test("Have I Been Pwned: plan and rate, and each kind of refusal", async () => {
    const good = await startHibpPeer();
    afterwards(() => good.stop());
    expect((await findings("sources", bench({ HIBP_API_KEY: good.apiKey, HIBP_BASE_URL: good.url }))).list[0]).toMatch(
      /^ok: Have I Been Pwned: Pro 1, 500 a minute, hash prefixes allowed, with stealer logs, until 2030-01-01/,
    );
    for (const [status, says] of [
      [401, "fail: Have I Been Pwned refuses the key"],
      [429, "warn: Have I Been Pwned is asked too often at the moment"],
      [500, "fail: Have I Been Pwned answers with 500"],
    ] as const)
      expect((await findings("sources", hibp(await peer({ "/subscription/status": { status } })))).list[0]).toBe(says);
    const odd = await peer({ "/subscription/status": { body: "<html>" } });
    expect((await findings("sources", hibp(odd))).list[0]).toContain("is not understood");
    expect((await findings("sources", bench())).list[0]).toContain("Bundled example data");
  });

  test("Telegram: the bot's name, where its updates go, an invalid token", async () => {
    const TOKEN = `123456:AA${"x".repeat(33)}`;
    const answers = (webhook: object): Answers => ({
      [`/bot${TOKEN}/getMe`]: { body: { ok: true, result: { username: "breach_bot" } } },
      [`/bot${TOKEN}/getWebhookInfo`]: { body: { ok: true, result: webhook } },
    });
    const room = (url: string) => bench({ TELEGRAM_BASE_URL: url, TELEGRAM_BOT_TOKEN: TOKEN });
    expect((await findings("telegram", room(await peer(answers({ url: "" }))))).list).toEqual([
      "ok: The bot is @breach_bot",
      "ok: The bot asks for updates",
    ]);
    const hooked = await findings("telegram", room(await peer(answers({ url: "https://elsewhere.example" }))));
    expect(hooked.list[1]).toBe("fail: Updates go to a webhook, so the bot cannot ask for them");
    const refused = await peer({
      [`/bot${TOKEN}/getMe`]: { status: 401, body: { ok: false, error_code: 401, description: "Unauthorized" } },
    });
    expect((await findings("telegram", room(refused))).list).toEqual(["fail: Telegram refuses the token"]);
  });

  test("Pushover and ntfy: limits, health, and invalid tokens", async () => {
    const pushover = (url: string) => bench({ PUSHOVER_BASE_URL: url, PUSHOVER_APP_TOKEN: APP_TOKEN });
    const limits = (remaining: number) => ({ "/apps/limits.json": { body: { limit: 10_000, remaining, reset: 1 } } });
    expect((await findings("pushover", pushover(await peer(limits(9000))))).list).toEqual([
      "ok: 9000 of 10000 messages are left this month",
    ]);
    expect((await findings("pushover", pushover(await peer(limits(5))))).list[0]).toStartWith("warn: 5 of");
    const refused = await peer({ "/apps/limits.json": { status: 400, body: { token: "invalid" } } });
    expect((await findings("pushover", pushover(refused))).list).toEqual([
      "fail: Pushover refuses the application's token",
    ]);
    const ntfy = (url: string) => bench({ NTFY_BASE_URL: url, NTFY_TOKEN });
    const health = { "/v1/health": { body: { healthy: true } } };
    expect((await findings("ntfy", ntfy(await peer({ ...health, "/v1/account": {} })))).list).toEqual([
      "ok: The ntfy server is healthy and accepts the token",
    ]);
    expect((await findings("ntfy", ntfy(await peer({ ...health, "/v1/account": { status: 401 } })))).code).toBe(1);
    const topics = await startNtfyPeer();
    afterwards(() => topics.stop());
    expect((await findings("ntfy", ntfy(topics.url))).list[0]).toContain("not an ntfy server, or it is not healthy");
  });

  test("Stripe: key, prices and webhook", async () => {
    const room = (url: string) =>
      bench({
        BILLING: "stripe",
        STRIPE_BASE_URL: url,
        STRIPE_SECRET_KEY: "sk_live_canary",
        STRIPE_WEBHOOK_SECRET: "whsec_canary",
        PUBLIC_URL: "https://b.example",
      });
    const data = (...items: object[]) => ({ body: { object: "list", data: items } });
    const hook = { url: "https://b.example/api/stripe/webhook", status: "enabled", enabled_events: ["*"] };
    const keys = ["personal", "professional", "business"].flatMap((plan) =>
      ["monthly", "yearly"].map((period) => ({ lookup_key: `breachbell_${plan}_${period}` })),
    );
    const good = await peer({ "/v1/prices": data(...keys), "/v1/webhook_endpoints": data(hook) });
    expect((await findings("payments", room(good))).list).toEqual([
      "ok: Stripe accepts the key",
      "ok: All 6 prices are at Stripe",
      "ok: Stripe's webhook leads here",
    ]);
    const deaf = await peer({
      "/v1/prices": data(),
      "/v1/webhook_endpoints": data({ ...hook, status: "disabled", enabled_events: ["invoice.paid"] }),
    });
    expect((await findings("payments", room(deaf))).list.slice(1)).toEqual([
      "warn: 6 of 6 prices are not at Stripe yet",
      "fail: Stripe's webhook is turned off",
      "fail: The webhook does not bring checkout.session, customer.subscription",
    ]);
    const none = await peer({ "/v1/prices": data(...keys), "/v1/webhook_endpoints": data() });
    expect((await findings("payments", room(none))).list.at(-1)).toBe("fail: Stripe has no webhook that leads here");
    expect((await findings("payments", room(await peer({ "/v1/prices": { status: 401 } })))).list).toEqual([
      "fail: Stripe refuses the key",
    ]);
  });

  test("a server that never responds, or sends too much, does not block the others", async () => {
    const odd = await peer({ "/silent": { hangs: true }, "/long": { body: "x".repeat(2 * 1024 * 1024) } });
    expect(await ask(`${odd}/silent`, {}, 50)).toEqual({ trouble: "no answer in time" });
    expect(await ask(`${odd}/long`)).toEqual({ trouble: "the answer could not be read" });
  });
});
