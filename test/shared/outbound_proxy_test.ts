import { expect, test } from "bun:test";
import { proxyFor } from "../../src/shared/outbound_proxy.ts";

const [https, http] = ["http://proxy.lan:3128", "http://proxy.lan:3129"];

test.each([
  ["https://api.telegram.org/bot", [], https],
  ["http://bot-api.lan:8081/bot", [], http],
  ["https://localhost/", [], undefined],
  ["https://mail.localhost:8443/", [], undefined],
  ["http://127.0.0.1:9000/", [], undefined],
  ["https://[::1]/", [], undefined],
  ["https://ntfy.lan/", ["ntfy.lan"], undefined],
  ["https://ntfy.lan/", ["NTFY.LAN"], undefined],
  ["https://push.ntfy.lan/", ["ntfy.lan"], undefined],
  ["https://push.ntfy.lan/", [".ntfy.lan"], undefined],
  ["https://push.ntfy.lan/", ["*.ntfy.lan"], undefined],
  ["https://myntfy.lan/", ["ntfy.lan"], https],
  ["https://ntfy.lan:8443/", ["ntfy.lan:8443"], undefined],
  ["https://ntfy.lan/", ["ntfy.lan:8443"], https],
  ["https://ntfy.lan/", ["*"], undefined],
])("proxyFor() finds the proxy for %s except for %j", (url, except, expected) => {
  expect(proxyFor(new URL(url), { https, http, except })).toBe(expected);
});

test("proxyFor() goes directly where there is no proxy for the scheme", () => {
  expect(proxyFor(new URL("http://bot-api.lan/"), { https, except: [] })).toBeUndefined();
});
