import type { Columns, Table } from "./classes.ts";

const BY_ASSOCIATION = "that of tracking, by the address";
const A_HASH = "a hash of the address, which is there";
const ADDRESS = "it stands there with its breach; this row is shared by all who watch the address";
const DRILL = "made up by the account itself, for a day at most; its alert is among the alerts";
const UNTIL_OWNER = "the owner's answer is over, or the asking account is deleted";

/** Who tracks which address, with whose consent, and what was found. */
export const WATCHING_COLUMNS: Record<Table, Columns> = {
  "tracking.association": {
    at: "records.tracking.associations.*",
    told: `id account_id address owner consent scope scope_version language contacts paused suspended preferred open_alerts
      open_version created_at`,
    words: "consent scope language",
  },
  "tracking.account": { at: "account", told: "account_id", plain: "plan_changed_at" },
  "tracking.alias": {
    at: "records.tracking.aliases.*",
    told: "id association_id account_id address origin state mail_at expires_at created_at",
    withheld: { token_hash: "a secret" },
    words: "origin state token_hash",
  },
  "invitations.invitation": {
    at: "records.invitations.asked.*",
    told: `id association_id address kind language state scope created_at sent_at reminders next_mail_at expires_at
      answered_at ended_at version`,
    withheld: { token_hash: "a secret", inviter_id: "the account itself, or somebody else" },
    words: "kind language state scope token_hash",
  },
  "invitations.consent_record": {
    at: "records.invitations.asked.*.entries.*",
    told: "at act by scope language wording",
    withheld: { id: "of no use outside", invitation_id: "it stands with its invitation" },
    words: "act by scope language wording",
  },
  "invitations.block": {
    at: "records.invitations.blocked.*",
    told: "inviter_id",
    kept: {
      address_mark: { why: "a keyed hash of a mailbox: its owner wants to hear no more", until: UNTIL_OWNER },
      at: { why: "as above", until: UNTIL_OWNER },
    },
    words: "address_mark",
  },
  "invitations.refusal": {
    kept: {
      owner_mark: {
        why: "a keyed hash of a mailbox: a no holds whatever becomes of accounts",
        until: "30 days; a block for good",
      },
      asker_mark: {
        why: "a keyed hash of a mailbox: a no holds whatever becomes of accounts",
        until: "30 days; a block for good",
      },
    },
    plain: "blocked_at declined_at",
    words: "owner_mark asker_mark",
  },
  "invitations.address_mail": {
    kept: {
      mark: {
        why: "a keyed hash of a mailbox: mails to it are counted over all accounts",
        until: "they count no more",
      },
    },
    plain: "id at",
    words: "mark",
  },
  "breaches.watch": {
    at: "records.breaches.checks.*",
    told: "account_id address baseline_at suspended last_checked_at",
    as: { baseline_at: "firstCheckedAt", last_checked_at: "lastCheckedAt" },
    withheld: {
      association_id: BY_ASSOCIATION,
      alias_of: BY_ASSOCIATION,
      details: "the scope of tracking's association",
      sensitive: "the scope of tracking's association",
      sha1: A_HASH,
      sha256: A_HASH,
    },
    words: "sha1 sha256",
  },
  "breaches.scan": {
    at: "records.breaches.checks.*",
    told: "address checked_at due_at",
    as: { checked_at: "lastCheckedAt", due_at: "nextCheckAt" },
    plain: "source generation request failures retry_at lease_token lease_until unsupported",
  },
  "breaches.exposure": {
    withheld: { address: ADDRESS, breach_name: ADDRESS, found_at: ADDRESS, sources: ADDRESS },
    words: "breach_name sources",
  },
  "breaches.alert": {
    at: "records.breaches.alerts.*",
    told: `id association_id account_id address breach_name state baseline raised_at handled_at reason note steps version
      worsened_at changed_since variants`,
    as: { breach_name: "breach.name", variants: "foundUnder" },
    words: "breach_name state reason steps changed_since",
  },
  "breaches.trace": {
    at: "records.breaches.traces.*",
    told: "account_id address again_at asked_at pastes sites sites_refused done",
  },
  "breaches.letter": {
    at: "records.breaches.letters.*",
    told: `id account_id association_id alert_id address company asks country language sent_on due_on answered reminded_at
      created_at`,
    words: "asks country language",
  },
  "breaches.disclosure": {
    at: "records.breaches.told.*",
    told: "address source form first_at last_at times",
    words: "source form",
  },
  "breaches.alert_count": { withheld: { association_id: BY_ASSOCIATION }, plain: "version" },
  "breaches.seen": { at: "records.breaches.bell", told: "account_id seen_at" },
  "breaches.stale_notice": {
    at: "records.breaches.lateChecks",
    told: "account_id seen_at told_at since addresses",
  },
  "breaches.drill": {
    withheld: {
      account_id: DRILL,
      id: DRILL,
      association_id: DRILL,
      address: DRILL,
      breach_name: DRILL,
      alert_id: DRILL,
      started_at: DRILL,
    },
    words: "breach_name",
  },
  "breaches.dataset": {
    kept: {
      hash: {
        why: "hashes of addresses in the operator's own files, for whoever watches them now or later",
        until: "the operator removes the file's breach",
      },
      breach_name: { why: "as above", until: "as above" },
    },
    words: "hash breach_name",
  },
  "breaches.dataset_block": {
    kept: { hashes: { why: "the same, many at once", until: "the operator removes the file's breach" } },
    plain: "bucket breach_name digest",
  },
  "breaches.import": { plain: "id progress lease_token lease_until" },
  "breaches.breach": {
    plain: `name source title_lower former_lower added_date pwn_count breach sensitive hash changed_at removed_at awaited_until same_as`,
  },
  "breaches.change": { plain: "id breach_name at change worse told_through told_at" },
  "breaches.source": {
    plain: `source latest_name latest_added generation synced_at checked_at trouble look_up_trouble left_out paused_until
      next_poll_at`,
  },
  "breaches.logo": { plain: "path file type bytes etag fetched_at failures next_at" },
  "breaches.service_page": { plain: "domain has_page failures next_at" },
  "breaches.rate_budget": { plain: "source next_slot_at" },
};
