import { describe, expect, test } from "bun:test";
import { loadConfig } from "../src/config/config.ts";

type Environment = Record<string, string | undefined>;
const KEYS = { STRIPE_SECRET_KEY: "sk_live_S3CR3T", STRIPE_WEBHOOK_SECRET: "whsec_S3CR3T" };
const STRIPE = { BILLING: "stripe", ...KEYS };

function load(environment: Environment, files: Environment = {}) {
  return loadConfig(environment, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: ${path}`);
    return text;
  });
}
function configOf(environment: Environment, files?: Environment) {
  const loaded = load(environment, files);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config;
}
function problemsOf(environment: Environment): string[] {
  const loaded = load(environment);
  return loaded.ok ? [] : loaded.problems;
}
const namesOf = (problems: string[]) => problems.map((problem) => problem.split(" ")[0]);

describe("loadConfig() of payments", () => {
  test("chooses Stripe with its keys, and configures its page", () => {
    const { billing, stripe } = configOf(STRIPE);
    expect(billing).toBe("stripe");
    expect(stripe).toEqual({
      baseUrl: "https://api.stripe.com",
      secretKey: "sk_live_S3CR3T",
      webhookSecret: "whsec_S3CR3T",
      tax: "off",
      promotionCodes: true,
    });
    const more = { STRIPE_TAX: "exclusive", STRIPE_PROMOTION_CODES: "off", STRIPE_BASE_URL: "http://127.0.0.1:4010" };
    expect(configOf({ ...STRIPE, ...more }).stripe).toMatchObject({
      tax: "exclusive",
      promotionCodes: false,
      baseUrl: "http://127.0.0.1:4010",
    });
  });

  test("reads both secrets from files", () => {
    const environment = {
      BILLING: "stripe",
      STRIPE_SECRET_KEY_FILE: "/run/key",
      STRIPE_WEBHOOK_SECRET_FILE: "/run/hook",
    };
    const files = { "/run/key": `${KEYS.STRIPE_SECRET_KEY}\n`, "/run/hook": `${KEYS.STRIPE_WEBHOOK_SECRET}\n` };
    expect(configOf(environment, files).stripe).toMatchObject({
      secretKey: "sk_live_S3CR3T",
      webhookSecret: "whsec_S3CR3T",
    });
  });

  test.each([{}, { BILLING: "sandbox" }, { BILLING: "off" }])("does not enable Stripe with %j", (environment) => {
    expect(configOf(environment)).toMatchObject({ stripe: undefined });
  });

  test("lists everything missing together, in production with the rest", () => {
    const missing = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"];
    expect(namesOf(problemsOf({ BILLING: "stripe" }))).toEqual(missing);
    expect(namesOf(problemsOf({ BILLING: "stripe", NODE_ENV: "production" }))).toEqual(
      expect.arrayContaining([...missing, "PUBLIC_URL", "DATABASE_URL", "SMTP_URL"]),
    );
    expect(namesOf(problemsOf({ NODE_ENV: "production" }))).toContain("BILLING");
  });

  test.each([
    ["STRIPE_SECRET_KEY", ["pk_live_S3CR3T", "S3CR3T", "sk_live_"]],
    ["STRIPE_WEBHOOK_SECRET", ["S3CR3T", "whsec_"]],
    ["STRIPE_BASE_URL", ["http://api.stripe.com", "api.stripe.com", "https://api.stripe.com/v1", "file:///etc/passwd"]],
    ["STRIPE_TAX", ["on", "automatic"]],
    ["STRIPE_PROMOTION_CODES", ["yes"]],
  ])("rejects an invalid %s", (name, values) => {
    for (const value of values) {
      const problems = problemsOf({ ...STRIPE, [name]: value });
      expect(namesOf(problems)).toEqual([name]);
      expect(problems.join()).not.toContain("S3CR3T");
    }
  });

  test("rejects keys that would not be used", () => {
    for (const billing of [undefined, "off", "sandbox"])
      expect(namesOf(problemsOf({ ...KEYS, BILLING: billing }))).toEqual(["BILLING"]);
  });
});
