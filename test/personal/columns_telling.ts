import type { Columns, Table } from "./classes.ts";

const ON_ITS_WAY = "news on the way between modules, for seconds";
const STAFF_ACT = "that the staff did something stays, without the account, so that it can be reviewed";
const RECEIPT = "an emergency that may repeat, for three hours; each receipt is with its delivery";

/** Messages, support requests, and operations. */
export const TELLING_COLUMNS: Record<Table, Columns> = {
  "notifications.contact": {
    at: "records.notifications.contacts.*",
    told: `id account_id channel value language state confirm_expires_at confirmed_at refused_at created_at settings label
      chat_id version`,
    withheld: { confirm_hash: "a secret" },
    words: "channel language state confirm_hash",
  },
  "notifications.telegram_link": {
    at: "records.notifications.telegramLinks.*",
    told: "contact_id account_id expires_at used_at candidate",
    withheld: { token_hash: "a secret" },
    words: "token_hash",
  },
  "notifications.delivery": {
    at: "records.notifications.deliveries.*",
    told: `id subject channel value contact_id account_id language about not_after lane message_id state reason run_at turn
      created_at ended_at claims attempts failing_since in_doubt provider_id receipt acknowledged_at wanted_at gathered_in
      lease_until`,
    as: { channel: "recipient.channel", value: "recipient.value" },
    withheld: { sealed: "a secret" },
    plain: "lease_token",
    words: "subject channel language message_id state reason provider_id receipt sealed",
  },
  "notifications.attempt": {
    at: "records.notifications.deliveries.*.tries.*",
    told: "id delivery_id started_at ended_at outcome detail",
    words: "outcome",
  },
  "notifications.open_receipt": {
    kept: {
      receipt: { why: RECEIPT, until: "three hours after it was sent" },
      delivery_id: { why: RECEIPT, until: "three hours after it was sent" },
    },
    plain: "channel sent_at look_at",
    words: "receipt",
  },
  "notifications.confirmation": {
    kept: {
      mark: { why: "a keyed hash of a mailbox: questions to it are counted over all accounts", until: "a week later" },
    },
    plain: "sent_at",
    words: "mark",
  },
  "notifications.summary": {
    at: "records.notifications.monthlySummary",
    told: "account_id through every",
    words: "through every",
  },
  "notifications.channel": { plain: "channel failures paused_until reason" },
  "notifications.pace": { plain: "channel next_at" },
  "notifications.push_key": { plain: "is_only public_key sealed", words: "public_key sealed" },
  "notifications.delivery_day": { plain: "day channel slot accepted failed refused in_doubt latencies" },
  "notifications.telegram_update": { plain: "id seen_at" },
  "notifications.telegram_lease": { plain: "name holder until" },
  "support.ticket": {
    at: "records.support.tickets.*",
    told: `id reference account_id key kind type priority subject description first_name last_name email company language
      state created_at changed_at closed_at consented_at`,
    words: "reference kind type priority language state",
  },
  "support.post": {
    at: "records.support.tickets.*.posts.*",
    told: "id key by text at",
    withheld: { ticket_id: "it stands with its ticket" },
    words: "by",
  },
  "support.sent": {
    kept: { key: { why: "a keyed hash, which names nobody: what was sent counts on", until: "it counts no more" } },
    plain: "count until",
    words: "key",
  },
  "events.stranger_mail": {
    kept: {
      mailbox: {
        why: "a keyed hash: mails that it has not asked for are counted over all accounts",
        until: "a week later",
      },
      asker: {
        why: "a keyed hash of a person or a domain, which names nobody: what is asked for is counted",
        until: "a week later",
      },
      network: { why: "a keyed hash, which names nobody: what a network asks for is counted", until: "a week later" },
    },
    plain: "id claimed at",
    words: "mailbox asker network",
  },
  "events.outbox": {
    withheld: { order_key: ON_ITS_WAY, event: ON_ITS_WAY, last_error: ON_ITS_WAY },
    plain: "id position done_by attempts run_at published_at lease_token lease_until",
    words: "order_key",
  },
  "operations.event_log": {
    at: "records.operations.events.*",
    told: "account_id about",
    withheld: { actor_id: "somebody else of the staff" },
    kept: {
      id: { why: STAFF_ACT, until: "ninety days later" },
      position: { why: STAFF_ACT, until: "ninety days later" },
      type: { why: STAFF_ACT, until: "ninety days later" },
      at: { why: STAFF_ACT, until: "ninety days later" },
    },
    words: "type about",
  },
  "operations.event_sink": { plain: "name position claimed_until failures trouble" },
  "operations.incident": { plain: "id kind title parts state starts_at ends_at resolved_at" },
  "operations.incident_update": { plain: "id incident_id at state text" },
  "operations.maintenance": { plain: "is_on since until message" },
  "operations.job_run": { plain: "name ended_at failed_at" },
  "operations.part_day": { plain: "day part measured troubled last_minute" },
};
