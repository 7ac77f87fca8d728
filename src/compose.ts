import type { Adapters } from "./adapter_types.ts";
import { createBilling } from "./billing/mod.ts";
import { createBreaches } from "./breaches/mod.ts";
import type { Config } from "./config/config.ts";
import type { InstallationConfig } from "./config/installation.ts";
import { createDomains } from "./domains/mod.ts";
import { createDispatcher } from "./events/outbox.ts";
import { createIdentity } from "./identity/mod.ts";
import { createInvitations } from "./invitations/mod.ts";
import { createNotifications } from "./notifications/mod.ts";
import { createOperations } from "./operations/mod.ts";
import { jobsOf } from "./runtime/job_list.ts";
import { createApp } from "./server/app.ts";
import { partsOf } from "./server/status_rules.ts";
import { TERMS } from "./shared/terms.ts";
import { subscriptionsOf } from "./subscription_list.ts";
import { createSupport } from "./support/mod.ts";
import { createTracking } from "./tracking/mod.ts";

/** Addresses that a monthly summary names; it counts the others. */
const NAMED_IN_SUMMARY = 10;

/** Puts the modules together: asks, subscriptions, jobs, HTTP. The same in production and in tests. */
export function compose(
  adapters: Adapters,
  config: Pick<Config, "trustProxy" | "operator" | "statusPageUrl"> & InstallationConfig,
) {
  const { transactions, outbox, backups, gateways, system, health } = adapters;

  const identity = createIdentity({
    ...system,
    transaction: transactions.identity,
    drainFor: (accountId) => dispatcher.drainFor(accountId),
    codeMails: { areDelayed: (accountId) => notifications.areCodesDelayed(accountId) },
    passwords: gateways.passwords,
    commonPasswords: gateways.commonPasswords,
    breachedPasswords: gateways.breachedPasswords,
    providers: gateways.providers,
    providersOnly: config.providersOnly,
    oneTimePasswords: gateways.oneTimePasswords,
    passkeyCeremonies: gateways.passkeyCeremonies,
    mailboxLeaks: {
      async of(accountId) {
        const account = await identity.accountOf(accountId);
        return account?.verified === true && breaches.leaksPasswords(accountId, account.email);
      },
    },
    hostName: new URL(config.publicUrl).hostname,
    termsVersion: TERMS.version,
    sessionProfile: config.sessionProfile,
    registration: config.registration,
    isUnderMaintenance: () => operations.isUnderMaintenance(),
    accountFacts: {
      async of(accountId) {
        const plan = await billing.subscriptionViewOf(accountId);
        const pendingAlerts = (await breaches.alertCounts(accountId, { from: system.now(), to: system.now() })).pending;
        return {
          counts: {
            addresses: await tracking.countOf(accountId),
            alerts: await breaches.countOf(accountId),
            pendingAlerts,
          },
          plan: { ...plan, name: plan.plan },
          ...(await notifications.standingOf(accountId)),
        };
      },
    },
    belongings: {
      of: async (accountId) => ({
        addresses: await tracking.countOf(accountId),
        alerts: await breaches.countOf(accountId),
        contacts: await notifications.countContacts(accountId),
        subscription: await billing.summaryOf(accountId),
        watchedBy: await invitations.watchersOf(accountId),
      }),
    },
    records: {
      tracking: (accountId) => tracking.recordsOf(accountId),
      invitations: (accountId) => invitations.recordsOf(accountId),
      breaches: (accountId) => breaches.recordsOf(accountId),
      notifications: (accountId) => notifications.recordsOf(accountId),
      billing: (accountId) => billing.recordsOf(accountId),
      support: (accountId) => support.recordsOf(accountId),
      operations: (accountId) => operations.recordsOf(accountId),
      domains: (accountId) => domains.recordsOf(accountId),
    },
  });
  const billing = createBilling({
    ...system,
    transaction: transactions.billing,
    mode: config.billing,
    domainLimits: config.domainLimits,
    payments: gateways.payments,
    payers: {
      // An email that nobody has proven may be a stranger's, who has nothing to do with any plan.
      async of(accountId) {
        const account = await identity.accountOf(accountId);
        return account?.verified ? account : undefined;
      },
    },
    usage: { of: (accountId) => tracking.countOf(accountId) },
  });
  const breaches = createBreaches({
    ...system,
    transaction: transactions.breaches,
    feeds: gateways.feeds,
    imports: gateways.imports,
    descriptions: gateways.descriptions,
    logoSource: gateways.logos,
    directories: gateways.directories,
    letterDirectories: gateways.letterDirectories,
    changePasswordPages: gateways.changePasswordPages,
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
    domainFinds: {
      watched: () => domains.heldDomains(),
      async add(found) {
        const names = await breaches.canonicalNames(found.map(({ breachName }) => breachName));
        await domains.addImported(
          found.map((one) => ({ ...one, breachName: names.get(one.breachName) ?? one.breachName })),
        );
      },
    },
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
    ownWatchers: {
      of: (address, accountId) => tracking.ownWatchersOf(address, accountId),
      ask: (accountId, associationId) => tracking.askOwner(accountId, associationId),
    },
    disclosures: { of: (address) => breaches.toldAbout(address) },
    drainFor: (associationId) => dispatcher.drainFor(associationId),
  });
  const tracking = createTracking({
    ...system,
    transaction: transactions.tracking,
    planGate: { of: billing.entitlementOf },
    ownAddress,
    ownAddresses: {
      async of(accountIds) {
        const accounts = await identity.accountsOf(accountIds);
        return new Map(accounts.filter(({ verified }) => verified).map(({ id, email }) => [id, email]));
      },
    },
    drainFor: (associationId) => dispatcher.drainFor(associationId),
    consentGate: { of: invitations.askAgainFrom },
    people: { of: identity.accountOf },
    mailboxOwners: { of: identity.ownerOf },
    aliasDirectory: gateways.aliasDirectory,
    checks: { of: breaches.checkTimesOf },
    lateChecks: { since: breaches.lateSince },
    contactRoom: { has: (accountId, contacts) => notifications.hasRoomFor(accountId, contacts) },
    contactStates: { of: (accountId, addresses) => notifications.contactStates(accountId, addresses) },
  });
  const notifications = createNotifications({
    ...system,
    transaction: transactions.notifications,
    isUnderMaintenance: () => operations.isUnderMaintenance(),
    senders: gateways.senders,
    translate: gateways.translate,
    alertRoutes: {
      async of(ids) {
        const routes = await tracking.routesOf(ids);
        const known = new Set(routes.map(({ associationId }) => associationId));
        const others = ids.filter((id) => !known.has(id));
        return others.length > 0 ? [...routes, ...(await domains.routesOfDomains(others))] : routes;
      },
    },
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
    contactAdoption: {
      async by(accountId, contact) {
        await tracking.adoptContact(accountId, contact);
        await identity.addDefaultContact(accountId, contact);
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
    accounts: { of: identity.accountOf, listOf: identity.accountsOf },
    openQuestions: {
      has: async (token) => (await invitations.isAwaited(token)) || (await tracking.isAliasAwaited(token)),
    },
    publicUrl: config.publicUrl,
    keptDays: config.messagesKeptDays,
    hasUnfinishedEvents: outbox.hasOlderThan,
    supportEmail: config.operator.supportEmail,
    sources: gateways.feeds.map(({ source }) => source),
  });

  const support = createSupport({
    ...system,
    transaction: transactions.support,
    ownAddress,
    supportEmail: config.operator.supportEmail,
  });

  const operations = createOperations({
    ...system,
    transaction: transactions.operations,
    clinic: {
      async look() {
        const [sources, channels] = [await breaches.sourcesHealth(), await notifications.channelsHealth()];
        return partsOf({ sources, channels }, system.now());
      },
    },
    goneAccounts: { of: identity.goneOf },
    alertFacts: { of: breaches.factsOfAlerts },
    trackedAddresses: { of: tracking.addressesOf },
    sinks: gateways.sinks,
  });

  const domains = createDomains({
    ...system,
    transaction: transactions.domains,
    proofs: gateways.domainProofs,
    sources: breaches.domainSources,
    allowance: { of: billing.domainAllowanceOf },
    accounts: { of: identity.accountOf },
    owners: { of: identity.ownersOf },
    defaultContacts: { of: identity.defaultContactsOf },
    translate: gateways.translate,
    breachFacts: { of: breaches.factsOfBreaches, sensitiveNames: breaches.sensitiveNames },
  });

  const modules = { identity, billing, breaches, tracking, invitations, notifications, operations, support, domains };
  const subscriptions = subscriptionsOf(modules, backups);
  const { isStopping } = health;
  const dispatcher = createDispatcher({ ...system, outbox, subscriptions, onError: system.report, isStopping });
  const jobs = jobsOf(modules, { backups, gateways, dispatcher, ping: system.ping, isStopping });

  const app = createApp(modules, { adapters, config });
  return { app, ...modules, dispatcher, jobs };
}

export type Composition = ReturnType<typeof compose>;
