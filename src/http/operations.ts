import { API_SCOPES, type ApiScope } from "../shared/api_scopes.ts";
import type { ErrorCode } from "../shared/result.ts";

/**
 * Who may call: everybody (`open`), a person on our own pages (`website`), another service with its own credential (`service`),
 * or a person and every program whose token has this scope. A token opens only the first and the last kind.
 */
export type Access = "open" | "website" | "service" | ApiScope;
export type Operation = {
  id: string;
  access: Access;
  /** A second scope that a token needs because of what the answer contains. */
  also?: ApiScope;
  errors?: ErrorCode[];
};
export type Tag = keyof typeof BY_TAG;

const reach = (id: string, access: Access, errors: ErrorCode[] = []): Operation => ({ id, access, errors });
/** An operation whose answer contains findings, which a token may read only with `alerts:read`. */
const telling = (id: string, access: ApiScope, errors: ErrorCode[] = []): Operation => ({
  ...reach(id, access, errors),
  also: "alerts:read",
});
const website = (id: string): Operation => ({ id, access: "website" });
const service = (id: string, errors: ErrorCode[] = []): Operation => ({ id, access: "service", errors });

const CONTACTS: ErrorCode[] = ["METHOD_REQUIRED", "CONTACT_INVALID", "TOO_MANY_CONTACTS", "CONTACT_LIMIT_REACHED"];
const PAGE_REFUSED: ErrorCode[] = ["MONITORING_NOT_AUTHORISED", "MONITORING_SUSPENDED", "INVITATION_PENDING"];
const NO_ROOM: ErrorCode[] = ["USER_INACTIVE", "USER_INSUFFICIENT"];

const ADDRESSES = {
  "GET /api/associations": reach("listAddresses", "addresses:read"),
  "POST /api/associations": reach("addAddress", "addresses:write", [
    ...["ADDRESS_ALREADY_TRACKED", "INVITATION_DECLINED_RECENTLY", "ADDRESS_REQUIRED", "EMAIL_INVALID"],
    ...[...CONTACTS, ...NO_ROOM],
  ] as ErrorCode[]),
  "POST /api/associations/bulk/preview": reach("previewAddresses", "addresses:write", ["BULK_TOO_LARGE"]),
  "POST /api/associations/bulk": reach("addAddresses", "addresses:write", ["BULK_TOO_LARGE", ...CONTACTS, ...NO_ROOM]),
  "POST /api/associations/remove": reach("removeAddresses", "addresses:write"),
  "POST /api/associations/keep": reach("keepAddresses", "addresses:write"),
  "GET /api/associations/:id": reach("getAddress", "addresses:read", ["NOT_FOUND"]),
  "PUT /api/associations/:id": reach("updateAddress", "addresses:write", ["NOT_FOUND", ...CONTACTS]),
  "POST /api/associations/:id/pause": reach("pauseAddress", "addresses:write", ["NOT_FOUND"]),
  "DELETE /api/associations/:id": reach("removeAddress", "addresses:write", ["NOT_FOUND"]),
  "GET /api/associations/:id/aliases": reach("listAliases", "addresses:read", ["NOT_FOUND"]),
  "POST /api/associations/:id/aliases": reach("addAliases", "addresses:write", [
    ...["NOT_FOUND", "ADDRESS_REQUIRED", "EMAIL_INVALID", "TOO_MANY_ALIASES"],
  ] as ErrorCode[]),
  "POST /api/associations/:id/aliases/import": reach("importAliases", "website", [
    ...["NOT_FOUND", "ADDRESS_REQUIRED", "TOO_MANY_ALIASES", "ALIAS_KEY_REFUSED", "ALIAS_SERVICE_UNAVAILABLE"],
  ] as ErrorCode[]),
  "DELETE /api/associations/:id/aliases/:aliasId": reach("removeAlias", "addresses:write", ["NOT_FOUND"]),
  "GET /api/monitoring": telling("getMonitoring", "addresses:read", PAGE_REFUSED),
  "GET /api/check-aggiungere-email/": reach("checkCapacity", "addresses:read"),
  "GET /api/invitations/sent": reach("listSentInvitations", "addresses:read"),
  "POST /api/invitations/:id/cancel": reach("cancelInvitation", "addresses:write", ["NOT_FOUND", "INVITATION_INVALID"]),
};

const ALERTS = {
  "GET /api/alerts": reach("listAlerts", "alerts:read"),
  "GET /api/alerts/facets": reach("listAlertFacets", "alerts:read"),
  "GET /api/alerts/figures": reach("getAlertFigures", "alerts:read"),
  "GET /api/alerts.csv": reach("exportAlerts", "alerts:read"),
  "GET /api/alerts/:id": reach("getAlert", "alerts:read", ["NOT_FOUND"]),
  "GET /api/alerts/:id/deliveries": reach("listAlertDeliveries", "alerts:read", ["NOT_FOUND"]),
  "GET /api/bell": reach("getNews", "alerts:read"),
  "POST /api/bell/seen": telling("markNewsSeen", "alerts:write"),
  "POST /api/alerts/handle": telling("handleAlerts", "alerts:write", ["NOTE_TOO_LONG", "TOO_MANY_ALERTS"]),
  "POST /api/alerts/reopen": telling("reopenAlerts", "alerts:write", ["TOO_MANY_ALERTS"]),
  "POST /api/alerts/:id/handle": telling("handleAlert", "alerts:write", [
    "NOT_FOUND",
    "ALERT_CHANGED",
    "NOTE_TOO_LONG",
  ]),
  "POST /api/alerts/:id/reopen": telling("reopenAlert", "alerts:write", ["NOT_FOUND", "ALERT_CHANGED"]),
  "GET /api/events": telling("listEvents", "events:read"),
  "PUT /api/alerts/:id/steps": telling("tickStep", "alerts:write", ["NOT_FOUND"]),
  "PUT /api/alerts/:id/password": telling("notePasswordChange", "alerts:write", ["NOT_FOUND"]),
};

const LETTERS = {
  "GET /api/alerts/:id/letter": reach("getLetterFacts", "alerts:read", ["NOT_FOUND"]),
  "POST /api/alerts/:id/letters": telling("noteLetter", "alerts:write", ["NOT_FOUND", "TOO_MANY_LETTERS"]),
  "GET /api/letters": reach("listLetters", "alerts:read"),
  "PUT /api/letters/:id/answered": reach("answerLetter", "alerts:write", ["NOT_FOUND"]),
  "DELETE /api/letters/:id": reach("removeLetter", "alerts:write", ["NOT_FOUND"]),
  "GET /api/authorities": reach("listAuthorities", "alerts:read"),
};

const SERVICE = {
  "GET /api/service-status": reach("getServiceStatus", "open"),
  "GET /api/instance": reach("getInstance", "open"),
  "GET /api/logos/:file": reach("getLogo", "open", ["NOT_FOUND"]),
  "GET /api/openapi.json": reach("getOpenApiDocument", "open"),
};

const SIGN_IN = {
  "POST /api/register": website("register"),
  "POST /api/register/inspect": website("inspectRegistrationLink"),
  "POST /api/login": website("signIn"),
  "GET /api/sign-in": website("getSignIn"),
  "POST /api/verify-code": website("verifyCode"),
  "POST /api/resend-code": website("resendCode"),
  "POST /api/verify-authenticator": website("verifyAuthenticator"),
  "POST /api/verify-recovery-code": website("verifyRecoveryCode"),
  "POST /api/verify-passkey/options": website("getPasskeyRequest"),
  "POST /api/verify-passkey": website("verifyPasskey"),
  "POST /api/providers/:provider/start": website("startProvider"),
  "POST /api/providers/:provider/finish": website("finishProvider"),
  "POST /api/logout": website("signOut"),
  "POST /api/forgot-password": website("forgotPassword"),
  "POST /api/reset-password/check": website("checkResetLink"),
  "POST /api/reset-password": website("resetPassword"),
  "GET /api/check-user-authentication/": website("checkAuthentication"),
};

const ACCOUNT = {
  "GET /api/me": website("getMe"),
  "POST /api/confirm-password": website("confirmPassword"),
  "GET /api/sessions": website("listSessions"),
  "DELETE /api/sessions/:id": website("endSession"),
  "POST /api/sessions/end-others": website("endOtherSessions"),
  "GET /api/activity": website("listActivity"),
  "GET /api/profile": website("getProfile"),
  "PUT /api/profile": website("updateProfile"),
  "PUT /api/profile/password": website("changePassword"),
  "POST /api/profile/email": website("requestEmailChange"),
  "DELETE /api/profile/email": website("cancelEmailChange"),
  "POST /api/email-change/inspect": website("inspectEmailChange"),
  "POST /api/email-change/confirm": website("confirmEmailChange"),
  "GET /api/profile/deletion": website("previewDeletion"),
  "POST /api/profile/delete": website("deleteAccount"),
  "POST /api/profile/export": website("exportAccount"),
  "GET /api/profile/summary": website("getSummarySetting"),
  "PUT /api/profile/summary": website("setSummarySetting"),
  "POST /api/terms/accept": website("acceptTerms"),
  "GET /api/factors": website("listFactors"),
  "POST /api/factors/authenticator": website("addAuthenticator"),
  "DELETE /api/factors/authenticator": website("removeAuthenticator"),
  "POST /api/factors/authenticator/confirm": website("confirmAuthenticator"),
  "POST /api/factors/passkeys/options": website("getPasskeyCreation"),
  "POST /api/factors/passkeys": website("addPasskey"),
  "PUT /api/factors/passkeys/:id": website("renamePasskey"),
  "DELETE /api/factors/passkeys/:id": website("removePasskey"),
  "POST /api/factors/recovery-codes": website("makeRecoveryCodes"),
  "GET /api/providers": website("listProviders"),
  "DELETE /api/providers/:provider": website("unlinkProvider"),
  "GET /api/tokens": website("listTokens"),
  "POST /api/tokens": website("createToken"),
  "DELETE /api/tokens/:id": website("revokeToken"),
  "POST /api/tokens/revoke-all": website("revokeAllTokens"),
  "GET /api/check-user-belong-association/": website("checkAssociation"),
  "GET /api/check-user-autorizzato-monitoraggio/": website("checkMonitoring"),
  "GET /api/monitoring/traces": reach("getTraces", "website", PAGE_REFUSED),
  "POST /api/monitoring/traces": reach("askTraces", "website", [
    ...PAGE_REFUSED,
    ...(["NOT_FOUND", "TRACES_ASKED_RECENTLY", "SOURCE_UNAVAILABLE"] as const),
  ]),
  "PUT /api/monitoring/traces/sites": reach("tickTraceSite", "website", [...PAGE_REFUSED, "NOT_FOUND"]),
};

const CONSENT = {
  "GET /api/dashboard": website("getDashboard"),
  "GET /api/invitations/requests": website("listAccessRequests"),
  "POST /api/invitations/:id/accept": website("acceptRequest"),
  "POST /api/invitations/:id/decline": website("declineRequest"),
  "GET /api/grants/may-watch": website("listGrantsHeld"),
  "GET /api/grants/watched-by": website("listGrantsGiven"),
  "POST /api/grants/:id/withdraw": website("withdrawGrant"),
  "PUT /api/grants/:id/scope": website("changeGrantScope"),
  "GET /api/grants/:id/record": website("getConsentRecord"),
  "POST /api/invitation-links/inspect": website("inspectInvitationLink"),
  "POST /api/invitation-links/accept": website("acceptByLink"),
  "POST /api/invitation-links/decline": website("declineByLink"),
  "POST /api/invitation-links/scope": website("changeScopeByLink"),
  "POST /api/invitation-links/withdraw": website("withdrawByLink"),
  "POST /api/aliases/inspect": reach("inspectAliasLink", "website", ["LINK_INVALID"]),
  "POST /api/aliases/confirm": reach("confirmAlias", "website", ["LINK_INVALID"]),
};

const DOMAIN_REFUSED: ErrorCode[] = ["NOT_FOUND", "DOMAIN_UNPROVEN", "USER_INACTIVE"];

const DOMAINS = {
  "GET /api/domains": website("listDomains"),
  "POST /api/domains": reach("addDomain", "website", [
    ...(["DOMAIN_INVALID", "DOMAIN_PUBLIC", "DOMAIN_ALREADY_ADDED", "NOT_FOUND", ...NO_ROOM] as const),
  ]),
  "GET /api/domains/:id": reach("getDomain", "website", ["NOT_FOUND"]),
  "PUT /api/domains/:id": reach("changeDomain", "website", ["NOT_FOUND"]),
  "DELETE /api/domains/:id": reach("removeDomain", "website", ["NOT_FOUND"]),
  "PUT /api/domains/:id/proof": reach("changeDomainProof", "website", ["NOT_FOUND", "DOMAIN_PROVEN"]),
  "POST /api/domains/:id/check": reach("checkDomain", "website", ["NOT_FOUND", "RATE_LIMITED"]),
  "POST /api/domains/:id/code": reach("sendDomainCode", "website", ["NOT_FOUND", "MAILBOX_LIMITED", "MAIL_LIMITED"]),
  "POST /api/domains/:id/code/confirm": reach("confirmDomainCode", "website", ["NOT_FOUND", "CODE_INVALID"]),
  "GET /api/domains/:id/sources": reach("listDomainSources", "website", ["NOT_FOUND"]),
  "POST /api/domains/:id/sources/:source": reach("askDomainSource", "website", ["NOT_FOUND"]),
  "GET /api/domains/:id/overview": reach("getDomainOverview", "website", DOMAIN_REFUSED),
  "POST /api/domains/:id/addresses/list": reach("listDomainAddresses", "website", DOMAIN_REFUSED),
  "POST /api/domains/:id/addresses/file": reach("exportDomainAddresses", "website", DOMAIN_REFUSED),
  "POST /api/domains/:id/addresses/show": reach("getDomainAddress", "website", DOMAIN_REFUSED),
  "PUT /api/domains/:id/addresses": reach("markDomainAddress", "website", DOMAIN_REFUSED),
  "POST /api/domains/:id/drill": reach("startDomainDrill", "website", ["NOT_FOUND"]),
  "POST /api/domain-links/inspect": reach("inspectDomainLink", "website", ["LINK_INVALID"]),
  "POST /api/domain-links/answer": reach("answerDomainLink", "website", ["LINK_INVALID"]),
  "GET /api/own-domain": website("getOwnDomain"),
  "PUT /api/own-domain": reach("answerOwnDomain", "website", ["NOT_FOUND"]),
};

const CONTACT = {
  "GET /api/contacts": website("listContacts"),
  "POST /api/contacts": website("addContact"),
  "PUT /api/contacts/:id/settings": website("setContactSettings"),
  "POST /api/contacts/:id/ask": website("askContact"),
  "POST /api/contacts/:id/repair": website("repairContact"),
  "POST /api/contacts/:id/secret": website("renewWebhookSecret"),
  "DELETE /api/contacts/:id": website("removeContact"),
  "POST /api/contacts/:id/telegram-link": website("startTelegramLink"),
  "GET /api/contacts/:id/telegram-link": website("getTelegramLink"),
  "POST /api/contacts/:id/telegram-link/confirm": website("confirmTelegramLink"),
  "GET /api/push/key": website("getPushKey"),
  "POST /api/push/devices": website("connectDevice"),
  "POST /api/chats": website("connectChat"),
  "POST /api/push/seen": website("markPushSeen"),
  "POST /api/contact-links/inspect": website("inspectContactLink"),
  "POST /api/contact-links/confirm": website("confirmContact"),
  "POST /api/contact-links/unsubscribe": website("unsubscribeContact"),
  "POST /api/contact-links/resubscribe": website("resubscribeContact"),
  "POST /u/:token": service("unsubscribeByOneClick", ["INVALID_INPUT", "LINK_INVALID"]),
  "POST /api/test-alerts": website("sendTests"),
  "GET /api/test-alerts": website("listTests"),
  "GET /api/fire-drill": website("getFireDrill"),
  "POST /api/fire-drill": website("startFireDrill"),
  "DELETE /api/fire-drill": website("endFireDrill"),
};

const BILLING = {
  "GET /api/check-subscription/": website("checkSubscription"),
  "GET /api/subscription": website("getSubscription"),
  "GET /api/plans": website("listPlans"),
  "POST /api/checkout": website("startCheckout"),
  "POST /api/subscription/preview": website("previewPlanChange"),
  "POST /api/subscription/change": website("changePlan"),
  "POST /api/portal": website("openPaymentPortal"),
  "POST /api/order-success": website("getOrderSuccess"),
  "GET /api/orders": website("listOrders"),
  "POST /api/orders/:id/invoice": website("getInvoice"),
};

const HELP = {
  "POST /api/support/tickets": website("sendTicket"),
  "GET /api/support/tickets": website("listTickets"),
  "GET /api/support/tickets/:reference": website("getTicket"),
  "POST /api/support/tickets/:reference/messages": website("answerTicket"),
  "POST /api/support/tickets/:reference/close": website("closeTicket"),
  "POST /api/support/tickets/:reference/reopen": website("reopenTicket"),
  "POST /api/support/feedback": website("sendFeedback"),
  "GET /api/service-notice": website("getServiceNotice"),
};

const STAFF = {};

const OTHER_SERVICES = {
  "POST /api/stripe/webhook": service("takePaymentEvent", ["NOT_FOUND", "SIGNATURE_INVALID", "BODY_TOO_LARGE"]),
  "POST /api/providers/:provider/logout": service("takeProviderLogout", [
    "NOT_FOUND",
    "SIGNATURE_INVALID",
    "PROVIDER_UNAVAILABLE",
    "BODY_TOO_LARGE",
  ]),
  "POST /api/hibp/notify": service("takeBreachNotice"),
  "POST /api/telegram/webhook": service("takeTelegramUpdate"),
  "POST /api/inbound/bounce": service("takeBouncedMail"),
};

/** Every operation of the API, by the heading of its documentation. Tokens are refused everything that is not listed. */
const BY_TAG = {
  Addresses: ADDRESSES,
  Alerts: { ...ALERTS, ...LETTERS },
  Service: SERVICE,
  "Signing in": SIGN_IN,
  Account: ACCOUNT,
  Consent: CONSENT,
  Domains: DOMAINS,
  "Contacts and tests": CONTACT,
  "Plans and payment": BILLING,
  "Help and news": HELP,
  Staff: STAFF,
  "Other services": OTHER_SERVICES,
} as const satisfies Record<string, Record<string, Operation>>;

export const TAGS = Object.keys(BY_TAG) as Tag[];

const ALL = new Map<string, Operation & { tag: Tag }>(
  TAGS.flatMap((tag) =>
    Object.entries<Operation>(BY_TAG[tag]).map(([route, operation]) => [route, { ...operation, tag }] as const),
  ),
);

/** The operation of a method and path, as they are registered. */
export const operationOf = (route: string) => ALL.get(route);
export const allOperations = () => [...ALL];

/** All scopes that a token needs. */
export function scopesOf({ access, also }: Pick<Operation, "access" | "also">): ApiScope[] {
  return isScope(access) ? [access, ...(also ? [also] : [])] : [];
}

export function isScope(access: Access): access is ApiScope {
  return API_SCOPES.some((scope) => scope === access);
}
