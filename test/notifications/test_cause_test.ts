import { expect, test } from "bun:test";
import type { Outcome } from "../../src/notifications/ports.ts";
import { testedOf } from "../../src/notifications/reporting/test_cause.ts";
import type { Tested } from "../../src/shared/connection_test.ts";

const retry = (reason: string): Outcome => ({ kind: "retry", scope: "channel", reason });
const wrong = (reason: string): Outcome => ({ kind: "misconfigured", scope: "channel", reason });

test.each<[Outcome, Tested]>([
  [{ kind: "delivered" }, "accepted"],
  [retry("ECONNREFUSED CONN connect ECONNREFUSED 127.0.0.1:25"), "no_listener"],
  [retry("ENOTFOUND CONN getaddrinfo ENOTFOUND mail.example"), "unknown_host"],
  [retry("EDNS CONN queryA ENOTFOUND mail.example"), "unknown_host"],
  [retry("ETIMEDOUT CONN Connection timeout"), "timeout"],
  [retry("no answer in time"), "timeout"],
  [retry("Cannot reach Telegram: ECONNREFUSED"), "no_listener"],
  [retry("Cannot reach Pushover: ENOTFOUND"), "unknown_host"],
  [retry("Cannot reach Telegram: SELF_SIGNED_CERT_IN_CHAIN"), "certificate"],
  [retry("DEPTH_ZERO_SELF_SIGNED_CERT CONN self-signed certificate"), "certificate"],
  [retry("Telegram 429: Too Many Requests"), "limited"],
  [retry("Pushover answered 429"), "limited"],
  [retry("Telegram 502: no description"), "unreachable"],
  [wrong("EAUTH AUTH PLAIN 535 5.7.8 no"), "credentials"],
  [wrong("Telegram 401: Unauthorized"), "credentials"],
  [wrong("Pushover answered 400: application token is invalid"), "credentials"],
  [wrong("EENVELOPE MAIL FROM 550 5.7.1 sender refused"), "refused"],
  // The provider's own words decide nothing.
  [wrong("EENVELOPE MAIL FROM 550 ECONNREFUSED EAUTH"), "refused"],
  [{ kind: "dead", cause: "recipient", reason: "Telegram 403: blocked" }, "recipient"],
  [{ kind: "dead", cause: "message", reason: "Telegram 400: bad request" }, "refused"],
])("%o is shown as %s", (outcome, tested) => {
  expect(testedOf(outcome)).toBe(tested);
});
