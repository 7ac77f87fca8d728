import type { Columns, Table } from "./classes.ts";

const SHARED = "of the people at a domain, shared by all who administer it; its own person finds it in their export";

/** Whole mail domains: who administers them, what was found, and what their people decided. */
export const DOMAIN_COLUMNS: Record<Table, Columns> = {
  "domains.domain": {
    at: "records.domains.domains.*",
    told: `id account_id name proof mailbox token code_expires_at code_tries state catch_all role_sensitive digest tell_people
      language created_at looked_at seen_at proven_at effective_at failing_since due_at told_at`,
    withheld: { code_hash: "a secret" },
    plain: "version people_due_at telling_due_at",
    words: "proof mailbox token code_hash state digest language",
  },
  "domains.finding": {
    withheld: { domain: SHARED, alias: SHARED, kind: SHARED, name: SHARED, sensitive: SHARED, found_at: SHARED },
    words: "kind name",
  },
  "domains.mailbox": {
    withheld: {
      domain: SHARED,
      alias: SHARED,
      kind: SHARED,
      latest_at: SHARED,
      told_at: SHARED,
      news_at: SHARED,
      put_off_at: SHARED,
      language: SHARED,
      say: SHARED,
      taken_at: SHARED,
    },
    plain: "plain sensitive",
    words: "kind say language",
  },
  "domains.breach_total": {
    withheld: { domain: SHARED },
    plain: "name addresses role_sensitive latest_at",
  },
  "domains.look": {
    at: "records.domains.looks.*",
    told: "domain account_id what alias at",
    plain: "hour",
    words: "what",
  },
  "domains.source": {
    withheld: { domain: SHARED },
    plain: "source state generation asked_at due_at reason record",
  },
};
