import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../database/logical_dump.ts";
import type { Database } from "../database/postgres.ts";

/** One step after a restore, with its count; `held` and `parked` items wait for the operator. */
export type Act = { counts: "voided" | "held" | "parked" | "put right"; run: SQL };

type Does = (run: SQL) => Act;
const voided: Does = (run) => ({ counts: "voided", run });
const held: Does = (run) => ({ counts: "held", run });
const parked: Does = (run) => ({ counts: "parked", run });
const putRight: Does = (run) => ({ counts: "put right", run });

/** These mails refer to the state before the restore, so their links and codes are void. */
const VOID_MAILS = sql.raw("('login_code', 'password_reset', 'email_change', 'confirmation')");
const TELLING = sql.raw(
  "('mail.requested', 'breaches.baselineReady', 'breaches.alertsRaised', 'breaches.alertsWorsened')",
);
/** A time at which no dispatcher looks. */
const NEVER = sql.raw("'9999-01-01T00:00:00Z'::timestamptz");

/**
 * What happens to the rows of each table after a restore; `old`: messages due before then had most likely been sent after the
 * backup.
 */
export const POLICY: Record<string, string | Act[] | ((old: Date) => Act[])> = {
  "backup.erasure": "who has left stays gone, also at the next restore",
  "backup.installation": "the restore was made with the same secret",
  "backup.schedule": [putRight(sql`update backup.schedule set claimed_until = null where claimed_until is not null`)],
  "identity.users": "people sign in with the password that they had then",
  "identity.sessions": [voided(sql`delete from identity.sessions`)],
  "identity.login_codes": [voided(sql`delete from identity.login_codes`)],
  "identity.reset_tokens": [voided(sql`delete from identity.reset_tokens`)],
  "identity.email_changes": [voided(sql`delete from identity.email_changes`)],
  // A leaked token that was revoked after the backup would be valid again.
  "identity.api_tokens": [voided(sql`delete from identity.api_tokens`)],
  "identity.authenticators": "like passwords: without them people would be locked out",
  "identity.passkeys": "like passwords: without them people would be locked out",
  "identity.recovery_codes": "like passwords: without them people would be locked out",
  "identity.provider_links": "the account at the provider is still theirs",
  "identity.audit_events": "history",
  "identity.staff_acts": "history",
  "identity.terms_acceptances": "history",
  "identity.attempts": "counters that end within the hour",
  "tracking.association": "what people watch",
  "tracking.account": "what people watch",
  // Links in old mails keep working, until they expire.
  "tracking.alias": "what people watch; a mail that was sent after the backup is repeated",
  // Links in old mails keep working: owners need them to consent, decline and withdraw.
  "invitations.invitation": (old) => [
    putRight(
      sql`update invitations.invitation set next_mail_at = null where sent_at is not null and next_mail_at < ${old.toISOString()}`,
    ),
  ],
  "invitations.consent_record": "history",
  "invitations.block": "what owners decided",
  "invitations.address_mail": "counters",
  "invitations.refusal": "what owners decided",
  "breaches.alert": "what was found",
  "breaches.alert_count": "what was found",
  "breaches.exposure": "what was found",
  "breaches.trace": "what was found",
  "breaches.disclosure": "history",
  "breaches.letter": "what people keep; a reminder that was sent after the backup is repeated",
  "breaches.breach": "the catalogue; the next look at it brings what is new",
  "breaches.change": "the catalogue",
  "breaches.logo": "the catalogue",
  "breaches.service_page": "the catalogue",
  "breaches.dataset": "the operator's lists",
  "breaches.dataset_block": "the operator's lists",
  "breaches.seen": "what people have seen",
  "breaches.stale_notice": "what people were told",
  "breaches.watch": "what people watch",
  "breaches.drill": "ends by itself",
  "breaches.scan": [
    putRight(sql`update breaches.scan set lease_token = null, lease_until = null where lease_token is not null`),
  ],
  "breaches.import": [
    putRight(sql`update breaches.import set lease_token = null, lease_until = null where lease_token is not null`),
  ],
  "breaches.source": [putRight(sql`update breaches.source set paused_until = null where paused_until is not null`)],
  "breaches.rate_budget": [putRight(sql`delete from breaches.rate_budget`)],
  // The payment provider knows what has been paid or cancelled since.
  "billing.subscription": [putRight(sql`update billing.subscription set ask_at = now() where customer_id is not null`)],
  // A claim may have ended since, and a code that was mailed then would be valid again.
  "domains.domain": [
    putRight(
      sql`update domains.domain set due_at = now() where proof <> 'mail' and state in ('waiting', 'proven', 'failing')`,
    ),
    voided(sql`update domains.domain set code_hash = null, code_expires_at = null where code_hash is not null`),
  ],
  "domains.finding": "what was found",
  "domains.breach_total": "what was found",
  "domains.mailbox": "what people decided",
  "domains.look": "history",
  "domains.source": "the next look brings what is new",
  "billing.former_trial": "a trial that ended then has ended",
  "billing.checkout": "what was bought",
  "billing.orders": "what was bought",
  "billing.notice": "what people were told",
  "billing.payment_event": "what was heard of the provider",
  "billing.farewell": "forgetting somebody twice does no harm",
  "notifications.contact": [
    voided(
      sql`update notifications.contact set confirm_hash = null, confirm_expires_at = null where confirm_hash is not null and state = 'unconfirmed'`,
    ),
  ],
  "notifications.telegram_link": [voided(sql`delete from notifications.telegram_link where used_at is null`)],
  "notifications.telegram_update": "what was answered",
  "notifications.telegram_lease": [putRight(sql`delete from notifications.telegram_lease`)],
  "notifications.channel": [putRight(sql`delete from notifications.channel`)],
  "notifications.pace": "they are past",
  "notifications.push_key": "browsers have subscribed with it",
  "notifications.confirmation": "counters",
  "notifications.open_receipt": "a later look finds them ended",
  "notifications.summary": "what people want",
  "notifications.attempt": "history",
  "notifications.delivery_day": "history",
  "notifications.delivery": (old) => [
    voided(sql`update notifications.delivery set state = 'cancelled', reason = 'expired', sealed = null, ended_at = now(),
        lease_token = null, lease_until = null where state in ('due', 'sending', 'held') and about->>'kind' in ${VOID_MAILS}`),
    putRight(sql`update notifications.delivery set state = 'due', in_doubt = true, lease_token = null, lease_until = null
        where state = 'sending'`),
    held(sql`update notifications.delivery set state = 'held', reason = 'operator'
        where state in ('due', 'held') and created_at < ${old.toISOString()}`),
  ],
  "operations.incident": "what people were told",
  "operations.incident_update": "what people were told",
  "operations.part_day": "history",
  "operations.job_run": "history",
  "operations.event_log": "history",
  // What was sent since the backup is sent again under the same ids.
  "operations.event_sink": [
    putRight(sql`update operations.event_sink set claimed_until = null where claimed_until is not null`),
  ],
  "operations.maintenance": "what the operator decided",
  "support.ticket": "what people asked",
  "support.post": "what people asked",
  "support.sent": "counters",
  "events.stranger_mail": "counters",
  "events.outbox": (old) => [
    voided(
      sql`delete from events.outbox where event->>'type' = 'mail.requested' and event->>'template' in ${VOID_MAILS}`,
    ),
    putRight(sql`update events.outbox set lease_token = null, lease_until = null where lease_token is not null`),
    parked(sql`update events.outbox set run_at = ${NEVER}, order_key = null
        where event->>'type' in ${TELLING} and run_at < ${old.toISOString()}`),
  ],
};

export type AfterRestore = { voided: Record<string, number>; held: number; announcementsHeld: number };

/** Runs a change, and counts its rows. */
async function countOf(tx: Database, run: SQL): Promise<number> {
  const counting = sql`with touched as (${run} returning 1) select count(*)::integer as count from touched`;
  return (await rowsOf<{ count: number }>(tx, counting))[0]?.count ?? 0;
}

/** Makes restored rows safe to continue with. */
export async function settleRestored(tx: Database, old: Date): Promise<AfterRestore> {
  const done: AfterRestore = { voided: {}, held: 0, announcementsHeld: 0 };
  for (const [table, policy] of Object.entries(POLICY)) {
    if (typeof policy === "string") continue;
    for (const { counts, run } of typeof policy === "function" ? policy(old) : policy) {
      const count = await countOf(tx, run);
      if (counts === "voided" && count > 0) done.voided[table] = (done.voided[table] ?? 0) + count;
      if (counts === "held") done.held += count;
      if (counts === "parked") done.announcementsHeld += count;
    }
  }
  return done;
}

/** Sends what a restore has held back. */
export async function releaseRestored(tx: Database): Promise<{ deliveries: number; announcements: number }> {
  const delivering = sql`update notifications.delivery set state = 'due', reason = null, run_at = now(), turn = now()
    where state = 'held' and reason = 'operator'`;
  const announcing = sql`update events.outbox set run_at = now() where run_at = ${NEVER}`;
  return { deliveries: await countOf(tx, delivering), announcements: await countOf(tx, announcing) };
}
