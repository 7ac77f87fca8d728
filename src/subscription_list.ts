import type { Erasures } from "./backup/erasures.ts";
import type { Event, Subscriptions } from "./events/catalogue.ts";
import type { Modules } from "./module_types.ts";

type AccountEvent = Extract<Event["type"], `identity.${string}`>;
type ConsentEvent = Extract<Event["type"], `invitations.${string}` | `tracking.consent${string}`>;

/** What becomes of an account concerns everybody who keeps something of it. */
function accountSubscriptions(
  { identity, billing, breaches, tracking, invitations, notifications, operations, support, domains }: Modules,
  erasures: Erasures,
): Pick<Subscriptions, AccountEvent> {
  return {
    "identity.registered": { billing: billing.onRegistered },
    "identity.deleted": {
      tracking: tracking.onDeleted,
      invitations: invitations.onDeleted,
      breaches: breaches.onDeleted,
      billing: billing.onDeleted,
      notifications: notifications.onDeleted,
      backups: ({ accountId }) => erasures.note("account", accountId),
      support: support.onDeleted,
      domains: domains.onDeleted,
      operations: operations.forgetEvents,
    },
    "identity.emailChanged": {
      tracking: tracking.onEmailChanged,
      notifications: notifications.onEmailChanged,
      invitations: invitations.onEmailChanged,
      billing: billing.onEmailChanged,
      breaches: breaches.onEmailChanged,
    },
    "identity.resetRequested": { identity: identity.onResetRequested },
  };
}

/** Consent is asked for and ended by tracking, and given and withdrawn by invitations. */
function consentSubscriptions(
  { tracking, invitations, operations }: Pick<Modules, "tracking" | "invitations" | "operations">,
  erasures: Erasures,
): Pick<Subscriptions, ConsentEvent> {
  return {
    "tracking.consentRequested": {
      invitations: invitations.onConsentRequested,
      operations: operations.logConsentRequest,
    },
    "tracking.consentDropped": { invitations: invitations.onConsentDropped },
    "invitations.granted": { tracking: tracking.onGranted, operations: operations.logConsent },
    "invitations.ended": {
      tracking: tracking.onConsentEnded,
      operations: operations.logConsentEnd,
      backups: async ({ how, invitationId }) => {
        if (how === "withdrawn") await erasures.note("consent", invitationId);
      },
    },
    "invitations.ownershipRefused": { tracking: tracking.onOwnershipRefused },
  };
}

/** The subscribers of every event, by module. */
export function subscriptionsOf(modules: Modules, { erasures }: { erasures: Erasures }): Subscriptions {
  const { identity, breaches, tracking, invitations, notifications, operations } = modules;
  return {
    ...accountSubscriptions(modules, erasures),
    ...consentSubscriptions(modules, erasures),
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
    "tracking.aliasStarted": { breaches: breaches.onAliasStarted },
    "tracking.aliasStopped": { breaches: breaches.onAliasStopped },
    "tracking.scopeChanged": { breaches: breaches.onScopeChanged },
    "tracking.contactsChanged": { notifications: notifications.onContactsChanged },
    "breaches.baselineReady": { notifications: notifications.onBaselineReady, operations: operations.logBaseline },
    "breaches.alertsRaised": { notifications: notifications.onAlertsRaised, operations: operations.logAlerts },
    "breaches.alertsWorsened": { notifications: notifications.onAlertsWorsened, operations: operations.logWorsening },
    "breaches.letterDue": { notifications: notifications.onLetterDue },
    "domains.findingsRaised": { notifications: notifications.onDomainFindings },
    "breaches.drillEnded": { notifications: notifications.onDrillEnded },
    "breaches.openAlertsChanged": { tracking: tracking.onOpenAlertsChanged },
    "billing.subscriptionChanged": { tracking: tracking.onSubscriptionChanged },
    "staff.acted": { identity: identity.onStaffActed, operations: operations.logStaffAct },
    "mail.requested": { notifications: notifications.onMailRequested },
  };
}
