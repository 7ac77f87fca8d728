import type { TextId } from "../app/text_id.ts";

/** Texts for the jobs of `src/runtime/job_list.ts`; the jobs of a source or a sink have its name after a space. */
const NAMES: Record<string, TextId> = {
  events: "staff.job.events",
  "event-sink": "staff.job.event-sink",
  "event-log-clean-up": "staff.job.event-log-clean-up",
  deliver: "staff.job.deliver",
  scan: "staff.job.scan",
  catalogue: "staff.job.catalogue",
  imports: "staff.job.imports",
  logos: "staff.job.logos",
  "service-pages": "staff.job.service-pages",
  letters: "staff.job.letters",
  "domain-proofs": "staff.job.domain-proofs",
  "domain-findings": "staff.job.domain-findings",
  "domain-people": "staff.job.domain-people",
  "domain-alerts": "staff.job.domain-alerts",
  "domain-clean-up": "staff.job.domain-clean-up",
  "alias-mails": "staff.job.alias-mails",
  "alias-expiry": "staff.job.alias-expiry",
  "alias-clean-up": "staff.job.alias-clean-up",
  telegram: "staff.job.telegram",
  channels: "staff.job.channels",
  gather: "staff.job.gather",
  receipts: "staff.job.receipts",
  summaries: "staff.job.summaries",
  drills: "staff.job.drills",
  "stale-checks": "staff.job.stale-checks",
  changes: "staff.job.changes",
  plans: "staff.job.plans",
  "plan-notices": "staff.job.plan-notices",
  payments: "staff.job.payments",
  farewells: "staff.job.farewells",
  ownership: "staff.job.ownership",
  "payment-clean-up": "staff.job.payment-clean-up",
  "invitation-mails": "staff.job.invitation-mails",
  "invitation-expiry": "staff.job.invitation-expiry",
  "invitation-clean-up": "staff.job.invitation-clean-up",
  "clean-up": "staff.job.clean-up",
  "support-clean-up": "staff.job.support-clean-up",
  uptime: "staff.job.uptime",
  "uptime-clean-up": "staff.job.uptime-clean-up",
  "delivery-figures-clean-up": "staff.job.delivery-figures-clean-up",
  backups: "staff.job.backups",
  clock: "staff.job.clock",
  "job-runs": "staff.job.job-runs",
};

/** The text of a job and its source; undefined for an unknown job, for example of another release. */
export function wordsOfJob(name: string): { id: TextId; source: string } | undefined {
  const [kind = "", source = ""] = name.split(" ");
  const id = Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined;
  return id && { id, source };
}
