import type { Adapters } from "../adapter_types.ts";
import type { BreachFeed } from "../breaches/ports.ts";
import type { createDispatcher } from "../events/outbox.ts";
import type { Modules } from "../module_types.ts";

/** A recurring job. Its schedule only triggers a look; work is claimed in the database. */
export type Job = {
  name: string;
  everyMs: number;
  run: Run;
  /** Minimum time between the starts of two runs, so that requests in between are batched. */
  pauseMs?: number;
  /** Tells a running job that there may be new work. */
  lookAgain?: () => void;
  /** Also runs in maintenance mode. */
  always?: true;
};

type Run = () => Promise<unknown>;
type Surroundings = Pick<Adapters, "backups" | "gateways"> & {
  dispatcher: Pick<ReturnType<typeof createDispatcher>, "drain">;
  ping: Run;
  /** Whether this process is shutting down. */
  isStopping: () => boolean;
};

const SECOND = 1000;
/** Short enough to be unnoticed, long enough to batch what many people ask for at the same time. */
const PAUSE_MS = 100;

type OutgoingJobs = Pick<Modules, "operations" | "notifications"> & Pick<Surroundings, "dispatcher">;

/** Events are handed to their subscribers and messages are sent; in maintenance mode only the staff's login codes are. */
function outgoingJobs({ operations, notifications, dispatcher }: OutgoingJobs): Job[] {
  return [
    {
      name: "events",
      everyMs: 5 * SECOND,
      pauseMs: PAUSE_MS,
      always: true,
      run: async () => dispatcher.drain((await operations.currentMaintenance()) ? "mail.requested" : undefined),
    },
    {
      name: "deliver",
      everyMs: SECOND,
      pauseMs: PAUSE_MS,
      always: true,
      lookAgain: notifications.lookAgain,
      run: async () => {
        await operations.currentMaintenance();
        return notifications.deliverDue();
      },
    },
  ];
}

/** Each source has jobs of its own, so that a slow or broken one does not delay the others. */
function sourceJobs(feeds: BreachFeed[], breaches: Modules["breaches"], isOver: () => boolean): Job[] {
  return feeds.flatMap(({ source, pollEveryMs }) => [
    { name: `scan ${source}`, everyMs: SECOND, run: () => breaches.scanDue(source, isOver) },
    {
      name: `catalogue ${source}`,
      everyMs: Math.min(pollEveryMs, 30 * SECOND),
      run: () => breaches.pollCatalogue(source),
    },
  ]);
}

/** Each destination of events has a job of its own, for the same reason. */
function sinkJobs({ sinkNames, sendEvents }: Modules["operations"], isOver: () => boolean): Job[] {
  return sinkNames.map((sink) => ({
    name: `event-sink ${sink}`,
    everyMs: 5 * SECOND,
    run: () => sendEvents(sink, isOver),
  }));
}

/** Jobs for what only some installations have. */
function gatewayJobs(
  { breaches, notifications }: Pick<Modules, "breaches" | "notifications">,
  gateways: Surroundings["gateways"],
  isOver: () => boolean,
): Job[] {
  return [
    ...(gateways.imports ? [{ name: "imports", everyMs: 2 * SECOND, run: () => breaches.importDue(isOver) }] : []),
    ...(gateways.logos ? [{ name: "logos", everyMs: 30 * SECOND, run: breaches.fetchLogos }] : []),
    ...(gateways.changePasswordPages
      ? [{ name: "service-pages", everyMs: 30 * SECOND, run: breaches.askServices }]
      : []),
    ...(gateways.telegramBot ? [{ name: "telegram", everyMs: SECOND, run: notifications.pollTelegram }] : []),
  ];
}

/** Whole domains: proofs, findings, and who is told of them. */
function domainJobs(domains: Modules["domains"], isOver: () => boolean): Job[] {
  return [
    { name: "domain-proofs", everyMs: 60 * SECOND, run: () => domains.lookForProofs(isOver) },
    { name: "domain-findings", everyMs: 10 * SECOND, run: () => domains.askSources(isOver) },
    { name: "domain-people", everyMs: 30 * SECOND, run: domains.tellPeople },
    { name: "domain-alerts", everyMs: 60 * SECOND, run: () => domains.tellAdministrators(isOver) },
    { name: "domain-clean-up", everyMs: 3_600 * SECOND, run: domains.cleanUp },
  ];
}

/** All jobs with their intervals. */
export function jobsOf(
  { identity, billing, breaches, tracking, invitations, notifications, operations, support, domains }: Modules,
  { backups, gateways, dispatcher, ping, isStopping }: Surroundings,
): Job[] {
  const isOver = () => isStopping() || operations.isUnderMaintenance();
  return [
    ...outgoingJobs({ operations, notifications, dispatcher }),
    ...sourceJobs(gateways.feeds, breaches, isOver),
    ...sinkJobs(operations, isOver),
    ...gatewayJobs({ breaches, notifications }, gateways, isOver),
    ...domainJobs(domains, isOver),
    { name: "channels", everyMs: 300 * SECOND, run: notifications.verifyChannels },
    { name: "gather", everyMs: 30 * SECOND, run: () => notifications.gatherDue(isOver) },
    { name: "receipts", everyMs: 15 * SECOND, run: () => notifications.followReceipts(isOver) },
    { name: "summaries", everyMs: 60 * SECOND, run: notifications.summariseDue },
    { name: "drills", everyMs: 600 * SECOND, run: breaches.endDrillsDue },
    { name: "letters", everyMs: 600 * SECOND, run: breaches.remindOfLetters },
    { name: "stale-checks", everyMs: 600 * SECOND, run: breaches.tellStale },
    { name: "changes", everyMs: 5 * SECOND, run: () => breaches.tellAwaited().then(breaches.tellChanges) },
    { name: "plans", everyMs: 60 * SECOND, run: () => billing.settleDue(isOver) },
    { name: "plan-notices", everyMs: 1800 * SECOND, run: billing.sendPlanNotices },
    { name: "payments", everyMs: 30 * SECOND, run: billing.reconcileDue },
    { name: "farewells", everyMs: 30 * SECOND, run: billing.sayFarewells },
    { name: "payment-clean-up", everyMs: 3_600 * SECOND, run: billing.cleanUpPayments },
    { name: "invitation-mails", everyMs: 5 * SECOND, run: invitations.mailDue },
    { name: "invitation-expiry", everyMs: 60 * SECOND, run: () => invitations.expireDue(isOver) },
    { name: "alias-mails", everyMs: 5 * SECOND, run: tracking.mailAliasesDue },
    { name: "alias-expiry", everyMs: 60 * SECOND, run: tracking.expireAliases },
    { name: "alias-clean-up", everyMs: 3_600 * SECOND, run: breaches.endOrphanedAliases },
    { name: "ownership", everyMs: 10 * SECOND, run: tracking.askUnproven },
    { name: "clean-up", everyMs: 3_600 * SECOND, run: identity.cleanUp },
    { name: "support-clean-up", everyMs: 3_600 * SECOND, run: support.cleanUp },
    { name: "invitation-clean-up", everyMs: 3_600 * SECOND, run: invitations.cleanUp },
    // Twice a minute, so that no minute is missed; each counts once.
    { name: "uptime", everyMs: 30 * SECOND, run: operations.measureParts },
    { name: "uptime-clean-up", everyMs: 3_600 * SECOND, run: operations.forgetOldDays },
    { name: "event-log-clean-up", everyMs: 3_600 * SECOND, run: operations.forgetOldEvents },
    {
      name: "delivery-figures-clean-up",
      everyMs: 3_600 * SECOND,
      run: async () => {
        await notifications.forgetOldFigures();
        await notifications.forgetOldLinks();
        await notifications.forgetOldDeliveries();
      },
    },
    { name: "backups", everyMs: 60 * SECOND, run: backups.runDue },
    { name: "clock", everyMs: 60 * SECOND, run: ping, always: true },
  ];
}
