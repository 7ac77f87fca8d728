import type { Tested } from "../../shared/connection_test.ts";
import type { Outcome } from "../ports.ts";

/** How our senders begin a reason: with a code of the system or of SMTP, or with the provider's name and status. */
const CAUSES: [words: RegExp, cause: Tested][] = [
  [/^(?:Cannot reach \w+: )?(ENOTFOUND|EDNS|EAI_AGAIN)/, "unknown_host"],
  [/^(?:Cannot reach \w+: )?(ECONNREFUSED|ConnectionRefused)/, "no_listener"],
  [/^(?:Cannot reach \w+: )?(ETIMEDOUT|TimeoutError|no answer in time)/, "timeout"],
  [/^(?:Cannot reach \w+: )?(ETLS|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_|ERR_SSL_)/, "certificate"],
  [/^(EAUTH|ENOAUTH|EOAUTH2)/, "credentials"],
  [/^Telegram (401|404)\b/, "credentials"],
  [/^(Telegram|Pushover answered) 429\b/, "limited"],
];

/** Why a channel does not work, from the reason that its sender or its verification gave. */
export function causeOf(reason: string): Tested {
  return CAUSES.find(([words]) => words.test(reason))?.[1] ?? "unreachable";
}

/** How a test message fared, without the provider's words. */
export function testedOf(outcome: Outcome): Tested {
  switch (outcome.kind) {
    case "delivered":
      return "accepted";
    case "dead":
      return outcome.cause === "recipient" ? "recipient" : "refused";
    case "misconfigured": {
      const cause = causeOf(outcome.reason);
      if (outcome.reason.startsWith("Pushover answered") && outcome.scope === "channel") return "credentials";
      return cause === "unreachable" ? "refused" : cause;
    }
    case "retry":
      return causeOf(outcome.reason);
  }
}
