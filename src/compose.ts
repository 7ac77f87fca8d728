import type { SandboxPayments } from "./billing/adapters/sandbox.ts";
import { type BillingDeps, createBilling } from "./billing/mod.ts";
import { type BreachDeps, createBreaches } from "./breaches/mod.ts";
import type { Config } from "./config.ts";
import type { Subscriptions } from "./events/catalogue.ts";
import { createDispatcher, type Outbox } from "./events/outbox.ts";
import { createApp } from "./http/app.ts";
import { createIdentity, type IdentityDeps } from "./identity/mod.ts";
import { createInvitations, type InvitationDeps } from "./invitations/mod.ts";
import { jobsOf } from "./job_list.ts";
import { createNotifications, type NotificationDeps } from "./notifications/mod.ts";
import type { HashToken, Mac, NewToken, Seal } from "./shared/secrets.ts";
import { createTracking, type TrackingDeps } from "./tracking/mod.ts";

/** Everything that reaches outside the process, chosen by `adapters.ts` or by a test. */
export type Adapters = {
  transactions: {
    identity: IdentityDeps["transaction"];
    tracking: TrackingDeps["transaction"];
    invitations: InvitationDeps["transaction"];
    breaches: BreachDeps["transaction"];
    billing: BillingDeps["transaction"];
    notifications: NotificationDeps["transaction"];
  };
  outbox: Outbox;
  gateways: {
    feeds: BreachDeps["feeds"];
    /** Files to import, where a source takes them. */
    imports: BreachDeps["imports"];
    descriptions: BreachDeps["descriptions"];
    /** Where logos come from, if anybody may be asked. */
    logos: BreachDeps["logoSource"];
    senders: NotificationDeps["senders"];
    /** None where Telegram is not set up. */
    telegramBot: NotificationDeps["telegramBot"];
    passwords: IdentityDeps["passwords"];
    commonPasswords: IdentityDeps["commonPasswords"];
    providers: IdentityDeps["providers"];
    oneTimePasswords: IdentityDeps["oneTimePasswords"];
    passkeyCeremonies: IdentityDeps["passkeyCeremonies"];
    payments: BillingDeps["payments"];
    translate: NotificationDeps["translate"];
  };
  system: {
    now: () => Date;
    newId: () => string;
    newToken: NewToken;
    newCode: () => string;
    newRecoveryCode: () => string;
    hashToken: HashToken;
    mac: Mac;
    seal: Seal;
    random: () => number;
    sleep: (ms: number) => Promise<void>;
    report: (error: unknown, context: Record<string, unknown>) => void;
    /** Whether the database answers. */
    ping: () => Promise<void>;
  };
  /** What a demonstration source knows; empty for a real one. */
  exampleAddresses: string[];
  /** The built web app; none in tests of the API. */
  webDirectory: string | undefined;
  /** The sandbox behind `payments`, where it has pages of its own. */
  sandbox: SandboxPayments | undefined;
  /** The development mailbox' folder, when mail stays here. */
  mailboxDirectory: string | undefined;
};

/** Addresses that a monthly summary names; it counts the others. */
const NAMED_IN_SUMMARY = 10;

/** Puts the modules together: asks, subscriptions, jobs, HTTP. The same in production and in tests. */
export function compose(
  adapters: Adapters,
  config: Pick<
    Config,
    | "publicUrl"
    | "billing"
    | "sessionProfile"
    | "trustProxy"
    | "mail"
    | "operator"
    | "pushTokens"
    | "channels"
    | "statusPageUrl"
  >,
) {
  const { transactions, outbox, gateways, system } = adapters;

  const identity = createIdentity({
    ...system,
    transaction: transactions.identity,
    passwords: gateways.passwords,
    commonPasswords: gateways.commonPasswords,
    providers: gateways.providers,
    oneTimePasswords: gateways.oneTimePasswords,
    passkeyCeremonies: gateways.passkeyCeremonies,
    mailboxLeaks: {
      async of(accountId) {
        const account = await identity.accountOf(accountId);
        return account?.verified === true && breaches.leaksPasswords(accountId, account.email);
      },
    },
    hostName: new URL(config.publicUrl).hostname,
    sessionProfile: config.sessionProfile,
    belongings: {
      of: async (accountId) => ({
        addresses: await tracking.countOf(accountId),
        alerts: await breaches.countOf(accountId),
        contacts: await notifications.countContacts(accountId),
        subscription: await billing.summaryOf(accountId),
      }),
    },
    records: {
      tracking: (accountId) => tracking.recordsOf(accountId),
      invitations: (accountId) => invitations.recordsOf(accountId),
      breaches: (accountId) => breaches.recordsOf(accountId),
      notifications: (accountId) => notifications.recordsOf(accountId),
      billing: (accountId) => billing.recordsOf(accountId),
    },
  });
  const billing = createBilling({
    ...system,
    transaction: transactions.billing,
    mode: config.billing,
    payments: gateways.payments,
    payers: { of: identity.accountOf },
    usage: { of: (accountId) => tracking.countOf(accountId) },
  });
  const breaches = createBreaches({
    ...system,
    transaction: transactions.breaches,
    feeds: gateways.feeds,
    imports: gateways.imports,
    descriptions: gateways.descriptions,
    logoSource: gateways.logos,
    hash: system.hashToken,
    translate: gateways.translate,
    monitoringAccess: { of: (accountId, address) => tracking.monitored(accountId, address) },
    people: {
      async nameOf(accountId) {
        const account = await identity.accountOf(accountId);
        return account && `${account.firstName} ${account.lastName}`;
      },
    },
    accounts: { of: identity.accountOf },
  });
  const ownAddress = {
    async of(accountId: string) {
      const account = await identity.accountOf(accountId);
      return account?.verified ? account.email : undefined;
    },
  };
  const invitations = createInvitations({
    ...system,
    transaction: transactions.invitations,
    accounts: { of: identity.accountOf },
    ownAddress,
  });
  const tracking = createTracking({
    ...system,
    transaction: transactions.tracking,
    planGate: { of: billing.entitlementOf },
    ownAddress,
    consentGate: { of: invitations.askAgainFrom },
    checks: { of: breaches.checkTimesOf },
    lateChecks: { since: breaches.lateSince },
    contactStates: { of: (accountId, addresses) => notifications.contactStates(accountId, addresses) },
  });
  const notifications = createNotifications({
    ...system,
    transaction: transactions.notifications,
    senders: gateways.senders,
    translate: gateways.translate,
    alertRoutes: { of: tracking.routesOf },
    alertFacts: { of: breaches.factsOfAlerts },
    breachChanges: { of: breaches.changeOf },
    alertHandling: { handle: breaches.handleAlert },
    contactUses: { of: tracking.routesOfAccount },
    contactRemoval: {
      async from(accountId, contact) {
        const dropped = await tracking.dropContact(accountId, contact);
        if (dropped.ok) await identity.dropDefaultContact(accountId, contact);
        return dropped;
      },
    },
    summaryFacts: {
      of: async (accountId, month) => ({
        ...(await tracking.watchedBy(accountId, NAMED_IN_SUMMARY)),
        ...(await breaches.alertCounts(accountId, month)),
        lateSince: await breaches.lateSince(accountId),
      }),
    },
    telegramBot: gateways.telegramBot,
    accounts: { of: identity.accountOf },
    openQuestions: { has: invitations.isAwaited },
    publicUrl: config.publicUrl,
    supportEmail: config.operator.supportEmail,
    sources: gateways.feeds.map(({ source }) => source),
  });

  const subscriptions: Subscriptions = {
    "identity.registered": { billing: billing.onRegistered },
    "identity.deleted": {
      tracking: tracking.onDeleted,
      invitations: invitations.onDeleted,
      breaches: breaches.onDeleted,
      billing: billing.onDeleted,
      notifications: notifications.onDeleted,
    },
    "identity.emailChanged": { notifications: notifications.onEmailChanged },
    "identity.resetRequested": { identity: identity.onResetRequested },
    "tracking.consentRequested": { invitations: invitations.onConsentRequested },
    "tracking.consentDropped": { invitations: invitations.onConsentDropped },
    "invitations.granted": { tracking: tracking.onGranted },
    "invitations.ended": { tracking: tracking.onConsentEnded },
    "tracking.monitoringStarted": { breaches: breaches.onMonitoringStarted },
    "tracking.monitoringStopped": { breaches: breaches.onMonitoringStopped },
    "tracking.monitoringSuspended": {
      breaches: breaches.onMonitoringSuspended,
      invitations: invitations.onMonitoringSuspended,
    },
    "tracking.monitoringResumed": {
      breaches: breaches.onMonitoringResumed,
      invitations: invitations.onMonitoringResumed,
    },
    "tracking.scopeChanged": { breaches: breaches.onScopeChanged },
    "tracking.contactsChanged": { notifications: notifications.onContactsChanged },
    "breaches.baselineReady": { notifications: notifications.onBaselineReady },
    "breaches.alertsRaised": { notifications: notifications.onAlertsRaised },
    "breaches.alertsWorsened": { notifications: notifications.onAlertsWorsened },
    "breaches.drillEnded": { notifications: notifications.onDrillEnded },
    "breaches.openAlertsChanged": { tracking: tracking.onOpenAlertsChanged },
    "billing.subscriptionChanged": { tracking: tracking.onSubscriptionChanged },
    "mail.requested": { notifications: notifications.onMailRequested },
  };
  const dispatcher = createDispatcher({ outbox, subscriptions, now: system.now, onError: system.report });

  const modules = { identity, billing, breaches, tracking, invitations, notifications };
  const jobs = jobsOf(modules, { gateways, dispatcher, ping: system.ping });

  const app = createApp(modules, { adapters, config });
  return { app, ...modules, dispatcher, jobs };
}

export type Composition = ReturnType<typeof compose>;
