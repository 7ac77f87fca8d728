import { PERIODS, PLANS } from "../shared/plans.ts";
import type { DatabaseContext } from "./command.ts";
import { ask, type Finding, fail, field, finding, ok, warn } from "./doctor_finding.ts";

const STRIPE_VERSION = "2026-10-28.endive";
/** The webhook has to subscribe to at least one event of each group. */
const TOPICS = ["checkout.session", "customer.subscription", "invoice"];

const itemsOf = (body: unknown): unknown[] => {
  const data = field(body, "data");
  return Array.isArray(data) ? data : [];
};

function webhookFindings(endpoints: Awaited<ReturnType<typeof ask>>, expected: string): Finding[] {
  const mayLook = !("trouble" in endpoints) && endpoints.status === 200;
  if (!mayLook)
    return [
      warn(
        "The key may not read webhooks, so theirs is not known",
        "Look in Stripe's dashboard whether one leads to PUBLIC_URL/api/stripe/webhook",
      ),
    ];
  const found = itemsOf(endpoints.body).find((endpoint) => field(endpoint, "url") === expected);
  const mend = `Register ${expected} in Stripe's dashboard, with the events of checkout, customer and invoice`;
  if (found === undefined)
    return [fail("Stripe has no webhook that leads here", `${mend}, and set STRIPE_WEBHOOK_SECRET`)];
  const events = field(found, "enabled_events");
  const names = Array.isArray(events) ? events.filter((name) => typeof name === "string") : [];
  const missing = names.includes("*") ? [] : TOPICS.filter((topic) => !names.some((name) => name.startsWith(topic)));
  const list: Finding[] = [];
  if (field(found, "status") !== "enabled")
    list.push(fail("Stripe's webhook is turned off", "Turn it on in Stripe's dashboard"));
  if (missing.length > 0) list.push(fail(`The webhook does not bring ${missing.join(", ")}`, mend));
  return list.length > 0 ? list : [ok("Stripe's webhook leads here")];
}

/** The lookup keys of our prices at Stripe, one for each plan and period. */
const LOOKUP_KEYS = PLANS.flatMap((plan) => PERIODS.map((period) => `breachbell_${plan}_${period}`));

function priceFinding(body: unknown): Finding {
  const found = itemsOf(body).map((price) => field(price, "lookup_key"));
  const missing = LOOKUP_KEYS.filter((key) => !found.includes(key));
  if (missing.length === 0) return ok(`All ${LOOKUP_KEYS.length} prices are at Stripe`);
  return warn(
    `${missing.length} of ${LOOKUP_KEYS.length} prices are not at Stripe yet`,
    "Nothing: each is created when the payment page is first opened; the key must be allowed to write prices",
  );
}

/** Explains a failed request for the list of prices; undefined if it succeeded. */
function refusalOf(status: number): Finding | undefined {
  switch (status) {
    case 200:
      return undefined;
    case 401:
      return fail("Stripe refuses the key", "Copy it from Stripe's dashboard into STRIPE_SECRET_KEY");
    case 403:
      return fail(
        "The key may not read prices",
        "Give the restricted key the rights to checkout, customers, subscriptions, invoices, products and prices",
      );
    default:
      return fail(`Stripe answers with ${status}`, "Look at status.stripe.com, then try again later");
  }
}

function keyFinding(secretKey: string, production: boolean): Finding {
  const isTest = /^[sr]k_test_/.test(secretKey);
  return finding(
    isTest && production ? "warn" : "ok",
    isTest ? "Stripe accepts the key, in test mode" : "Stripe accepts the key",
    isTest && production ? "Set the live key: this one makes no real payments" : undefined,
  );
}

/** Whether the key is valid and has the permissions, and whether Stripe's webhook points here. */
export async function checkPayments({ config }: DatabaseContext): Promise<Finding[]> {
  const { billing, stripe, production, publicUrl } = config;
  if (billing === "off") return [ok("Billing is off")];
  if (stripe === undefined)
    return [
      finding(
        production ? "warn" : "ok",
        "Sandbox: no real payments",
        "Set BILLING=stripe with its keys, or BILLING=off",
      ),
    ];
  const headers = { Authorization: `Bearer ${stripe.secretKey}`, "Stripe-Version": STRIPE_VERSION };
  const get = (path: string) => ask(new URL(path, stripe.baseUrl), headers);
  const lookups = LOOKUP_KEYS.map((key) => `lookup_keys[]=${key}`).join("&");
  const prices = await get(`/v1/prices?active=true&limit=100&${lookups}`);
  if ("trouble" in prices)
    return [fail(`Stripe cannot be reached: ${prices.trouble}`, "Check that this machine can reach STRIPE_BASE_URL")];
  const refusal = refusalOf(prices.status);
  if (refusal) return [refusal];
  const endpoints = await get("/v1/webhook_endpoints?limit=100");
  return [
    keyFinding(stripe.secretKey, production),
    priceFinding(prices.body),
    ...webhookFindings(endpoints, `${publicUrl}/api/stripe/webhook`),
  ];
}
