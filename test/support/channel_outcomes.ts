import type { Outcome } from "../../src/notifications/ports.ts";
import { type Failure, HTTP_FAILURES, type HttpFailure } from "./channel_peer.ts";
import type { ProviderName } from "./channel_providers.ts";
import { APPRISE_FAILURES } from "./chats/apprise_peer.ts";
import { DISCORD_FAILURES } from "./chats/discord_peer.ts";
import { GOTIFY_FAILURES } from "./chats/gotify_peer.ts";
import { MATRIX_FAILURES } from "./chats/matrix_peer.ts";
import { MATTERMOST_FAILURES, SLACK_FAILURES } from "./chats/slack_peer.ts";
import { TEAMS_FAILURES } from "./chats/teams_peer.ts";
import { NTFY_FAILURES } from "./ntfy_peer.ts";
import { PUSHOVER_FAILURES } from "./pushover_peer.ts";
import { TELEGRAM_FAILURES } from "./telegram_peer.ts";

/** An outcome without its message. */
export type Expected = { kind: Outcome["kind"] } & Record<string, unknown>;
export type Case = { name: string; failure: Failure; expected: Expected };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const delivered: Expected = { kind: "delivered" };
const misconfigured: Expected = { kind: "misconfigured", scope: "channel" };
const malformed: Expected = { kind: "misconfigured", scope: "message" };
const rejected: Expected = { kind: "dead", cause: "message" };
const refused: Expected = { kind: "dead", cause: "recipient" };
const gone: Expected = { kind: "dead", cause: "recipient", forGood: true };
const channelLater: Expected = { kind: "retry", scope: "channel" };
const contactLater: Expected = { kind: "retry", scope: "contact" };
const doubtful = (later: Expected): Expected => ({ ...later, inDoubt: true });
const after = (later: Expected, afterMs: number): Expected => ({ ...later, afterMs });

/** It is unknown whether the message was accepted. */
const LOST = [
  "200 with nonsense",
  "200 with other JSON",
  "200 without a body",
  "502",
  "hang",
  "reset",
  "truncated",
  "slow body",
  "large body",
] as const;

function lost(later: Expected): Record<(typeof LOST)[number], Expected> {
  return Object.fromEntries(LOST.map((name) => [name, doubtful(later)])) as Record<(typeof LOST)[number], Expected>;
}

function tooMany(later: Expected) {
  return {
    "429": later,
    "429 for 30 seconds": after(later, 30_000),
    "429 for an hour": after(later, HOUR),
    "429 for ever": after(later, HOUR),
    "429 with nonsense": later,
  };
}

/** Of a server for which only the status of the response counts, whatever its body says. */
const BY_STATUS: Record<HttpFailure, Expected> = {
  ...tooMany(contactLater),
  "200 with nonsense": delivered,
  "200 with other JSON": delivered,
  "200 without a body": delivered,
  truncated: delivered,
  "slow body": delivered,
  "large body": delivered,
  "502": doubtful(contactLater),
  hang: doubtful(contactLater),
  reset: doubtful(contactLater),
  redirect: refused,
  "400": refused,
  "401": refused,
  "403": refused,
  "404": refused,
  "408": contactLater,
  "410": gone,
  "413": rejected,
  "500": contactLater,
  "503 for an hour": after(contactLater, HOUR),
};

/** Of a chat that also confirms a message by the body of its response. */
const CONFIRMED: Record<HttpFailure, Expected> = { ...BY_STATUS, ...lost(contactLater), "410": refused };

/** Of a chat that drops repetitions: what was lost can be sent again without harm. */
const REPEATABLE = Object.fromEntries(
  Object.entries(CONFIRMED).map(([name, { inDoubt: _, ...expected }]) => [name, expected]),
) as Record<HttpFailure, Expected>;

/** The outcome that each provider failure must be mapped to. */
const BY_HTTP: Record<ProviderName, Record<HttpFailure, Expected>> = {
  pushover: {
    ...lost(channelLater),
    ...tooMany(channelLater),
    // Without a reset time the end of the month is assumed, with an hourly retry.
    "429": after(channelLater, HOUR),
    "429 with nonsense": after(channelLater, HOUR),
    redirect: malformed,
    "400": malformed,
    "401": malformed,
    "403": malformed,
    "404": malformed,
    "408": channelLater,
    "410": malformed,
    "413": malformed,
    "500": channelLater,
    "503 for an hour": after(channelLater, HOUR),
  },
  ntfy: {
    ...lost(channelLater),
    ...tooMany(channelLater),
    redirect: misconfigured,
    "400": malformed,
    "401": misconfigured,
    "403": refused,
    "404": misconfigured,
    "408": channelLater,
    "410": misconfigured,
    "413": rejected,
    "500": channelLater,
    "503 for an hour": after(channelLater, HOUR),
  },
  "ntfy elsewhere": {
    ...lost(contactLater),
    ...tooMany(contactLater),
    redirect: refused,
    "400": refused,
    "401": refused,
    "403": refused,
    "404": refused,
    "408": contactLater,
    "410": refused,
    "413": rejected,
    "500": contactLater,
    "503 for an hour": after(contactLater, HOUR),
  },
  telegram: {
    ...lost(channelLater),
    ...tooMany(channelLater),
    // Without a retry time.
    "429": after(channelLater, MINUTE),
    "429 with nonsense": after(channelLater, MINUTE),
    redirect: misconfigured,
    // Not Telegram's wording, so the contact must not be marked as failed.
    "400": misconfigured,
    "401": misconfigured,
    "403": misconfigured,
    "404": misconfigured,
    "408": channelLater,
    "410": misconfigured,
    "413": rejected,
    "500": channelLater,
    "503 for an hour": after(channelLater, HOUR),
  },
  webhook: BY_STATUS,
  webpush: { ...BY_STATUS, "404": gone },
  slack: CONFIRMED,
  mattermost: CONFIRMED,
  discord: CONFIRMED,
  teams: { ...BY_STATUS, "410": refused },
  matrix: REPEATABLE,
  gotify: { ...CONFIRMED, "400": rejected, "401": gone },
  apprise: { ...BY_STATUS, "410": refused },
};

/** Failures of a single provider. */
const BY_PROVIDER: Partial<Record<ProviderName, Record<string, [Failure, Expected]>>> = {
  pushover: {
    "400 user invalid": [PUSHOVER_FAILURES["400 user invalid"], gone],
    "400 token invalid": [PUSHOVER_FAILURES["400 token invalid"], misconfigured],
    "400 message invalid": [PUSHOVER_FAILURES["400 message invalid"], malformed],
    "200 with status 0": [PUSHOVER_FAILURES["200 with status 0"], malformed],
    "429 until the month ends": [PUSHOVER_FAILURES["429 until the month ends"], after(channelLater, HOUR)],
  },
  telegram: {
    "400 chat not found": [TELEGRAM_FAILURES["400 chat not found"], gone],
    "400 thread not found": [TELEGRAM_FAILURES["400 thread not found"], gone],
    "403 kicked": [TELEGRAM_FAILURES["403 kicked"], gone],
    "400 unreadable": [TELEGRAM_FAILURES["400 unreadable"], rejected],
    "401 unauthorized": [TELEGRAM_FAILURES["401 unauthorized"], misconfigured],
    "403 blocked": [TELEGRAM_FAILURES["403 blocked"], gone],
    "403 deactivated": [TELEGRAM_FAILURES["403 deactivated"], gone],
    "403 never started": [TELEGRAM_FAILURES["403 never started"], gone],
    "404 not found": [TELEGRAM_FAILURES["404 not found"], misconfigured],
    "413 too large": [TELEGRAM_FAILURES["413 too large"], rejected],
    "421 misdirected": [TELEGRAM_FAILURES["421 misdirected"], misconfigured],
    "429 retry after 30": [TELEGRAM_FAILURES["429 retry after 30"], after(channelLater, 30_000)],
    "429 retry after ever": [TELEGRAM_FAILURES["429 retry after ever"], after(channelLater, HOUR)],
    "500 internal": [TELEGRAM_FAILURES["500 internal"], channelLater],
  },
  slack: {
    "404 no_service": [SLACK_FAILURES["404 no_service"], gone],
    "410 channel_is_archived": [SLACK_FAILURES["410 channel_is_archived"], gone],
    "403 action_prohibited": [SLACK_FAILURES["403 action_prohibited"], refused],
    "400 invalid_payload": [SLACK_FAILURES["400 invalid_payload"], rejected],
    "500 rollup_error": [SLACK_FAILURES["500 rollup_error"], contactLater],
  },
  discord: {
    "404 10015": [DISCORD_FAILURES["404 10015"], gone],
    "401 50027": [DISCORD_FAILURES["401 50027"], gone],
    "400 50035": [DISCORD_FAILURES["400 50035"], rejected],
    "429 for a webhook": [DISCORD_FAILURES["429 for a webhook"], after(contactLater, 64_570)],
    "429 for all": [DISCORD_FAILURES["429 for all"], after(channelLater, 1000)],
  },
  teams: {
    "404 WorkflowNotFound": [TEAMS_FAILURES["404 WorkflowNotFound"], gone],
    "401 DirectApiAuthorizationRequired": [TEAMS_FAILURES["401 DirectApiAuthorizationRequired"], refused],
  },
  matrix: {
    "401 M_UNKNOWN_TOKEN": [MATRIX_FAILURES["401 M_UNKNOWN_TOKEN"], gone],
    "403 M_FORBIDDEN": [MATRIX_FAILURES["403 M_FORBIDDEN"], refused],
    "413 M_TOO_LARGE": [MATRIX_FAILURES["413 M_TOO_LARGE"], rejected],
    "429 M_LIMIT_EXCEEDED": [MATRIX_FAILURES["429 M_LIMIT_EXCEEDED"], after(contactLater, 2500)],
  },
  gotify: {
    "401 deleted": [GOTIFY_FAILURES["401 deleted"], gone],
    "400 invalid": [GOTIFY_FAILURES["400 invalid"], rejected],
  },
  apprise: {
    "204": [APPRISE_FAILURES["204"], gone],
    "424": [APPRISE_FAILURES["424"], doubtful(contactLater)],
  },
  mattermost: { "400 invalid": [MATTERMOST_FAILURES["400 invalid"], gone] },
  ntfy: {
    "40009": [NTFY_FAILURES["40009"], refused],
    "40024": [NTFY_FAILURES["40024"], malformed],
    "40101": [NTFY_FAILURES["40101"], misconfigured],
    "40301": [NTFY_FAILURES["40301"], refused],
    "41301": [NTFY_FAILURES["41301"], rejected],
    "42908": [NTFY_FAILURES["42908"], channelLater],
    "50001": [NTFY_FAILURES["50001"], channelLater],
  },
};

export function casesOf(provider: ProviderName): Case[] {
  const common = Object.entries(BY_HTTP[provider]).map(([name, expected]) => {
    return { name, failure: HTTP_FAILURES[name as HttpFailure], expected };
  });
  const own = Object.entries(BY_PROVIDER[provider] ?? {}).map(([name, [failure, expected]]) => {
    return { name, failure, expected };
  });
  return [...common, ...own];
}
