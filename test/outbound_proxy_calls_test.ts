import { expect, test } from "bun:test";
import { join } from "node:path";
import { startProxyPeer } from "./support/proxy_peer.ts";

const ROOT = join(import.meta.dirname, "..");
/** Calls that read the settings from the environment, as `fetch` does, and the exporter of traces. */
const CALLS = `
  import { stripePayments } from "${ROOT}/src/billing/adapters/stripe/stripe.ts";
  import { pwnedPasswords } from "${ROOT}/src/identity/adapters/secrets/pwned_passwords.ts";
  import { otlpTracer } from "${ROOT}/src/telemetry/otlp_tracer.ts";
  await fetch("https://haveibeenpwned.com/api/v3/breaches").catch(() => {});
  await fetch("https://logos.example/Adobe.png").catch(() => {});
  await pwnedPasswords({ baseUrl: "https://api.pwnedpasswords.com", userAgent: "test", warn() {} }).has("password");
  const stripe = stripePayments({
    ...{ baseUrl: "https://api.stripe.com", secretKey: "sk_test_0", webhookSecret: "whsec_0", tax: "off" },
    ...{ promotionCodes: false, publicUrl: "https://breachbell.example", now: () => new Date(), onTrouble() {} },
  });
  await stripe.forgetCustomer("cus_0").catch(() => {});
  const proxy = { http: process.env.HTTP_PROXY, except: [] };
  const url = "http://collector.example:4318/v1/traces";
  const tracer = otlpTracer({ url, headers: {}, serviceName: "breachbell", share: 1, proxy });
  tracer.within({ kind: "client", name: "call" }, () => {});
  await tracer.close();
  process.exit();
`;

test("calls of sources, payments and traces leave through the proxy, except to the hosts of NO_PROXY", async () => {
  // Nobody listens behind its tunnels.
  const { url, asked, stop } = await startProxyPeer(1);
  const calling = Bun.spawn([process.execPath, "--no-env-file", "-e", CALLS], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: "logos.example" },
    stdout: "inherit",
    stderr: "inherit",
  });
  expect(await calling.exited).toBe(0);
  await stop();
  expect([...new Set(asked)].toSorted()).toEqual([
    "CONNECT api.pwnedpasswords.com:443",
    "CONNECT api.stripe.com:443",
    "CONNECT haveibeenpwned.com:443",
    "POST http://collector.example:4318/v1/traces",
  ]);
});
