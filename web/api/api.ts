import type {
  ChangeEmailInput,
  ChangePasswordInput,
  DeleteAccountInput,
  ProfileInput,
} from "../../src/identity/account/profile_inputs.ts";
import type {
  ChatInput,
  ContactInput,
  DeviceInput,
  SettingsInput,
  SummaryEvery,
} from "../../src/notifications/inputs.ts";
import type { AlertSort, Direction, HandleReason, PasswordChange } from "../../src/shared/alert.ts";
import type { AliasService } from "../../src/shared/aliases.ts";
import type { BreachFlag } from "../../src/shared/breach.ts";
import type { ConsentScope } from "../../src/shared/consent.ts";
import type { Channel } from "../../src/shared/contacts.ts";
import type { Language } from "../../src/shared/language.ts";
import type { LetterAsk, LetterCountry } from "../../src/shared/letters.ts";
import { type Answer, call, get, post, put, remove, urlOf } from "./call.ts";

export { type ApiError, type FailureCode, isApiError } from "./call.ts";

export type AuthLevel = Answer<"/api/check-user-authentication/", "$get">["auth_level"];
export type Instance = Answer<"/api/instance", "$get">;
export type ServiceStatus = Answer<"/api/service-status", "$get">;
export type Letter = Answer<"/api/letters", "$get">["items"][number];
export type LetterFacts = Answer<"/api/alerts/:id/letter", "$get">;
export type Authority = Answer<"/api/authorities", "$get">["authorities"][number];
export type LetterInput = {
  company: string;
  asks: LetterAsk[];
  country: LetterCountry;
  language: Language;
  sentOn: string;
};
export type Me = Answer<"/api/me", "$get">;
export type AssociationPage = Answer<"/api/associations", "$get">;
export type Association = AssociationPage["items"][number];
export type Dashboard = Answer<"/api/dashboard", "$get">;
export type Managed = NonNullable<Dashboard["managed"]>;
export type AssociationStatus = Association["status"];
export type AssociationFilter = { search?: string; status?: "all" | AssociationStatus; page?: number };
export type DashboardFilter = AssociationFilter &
  Record<"sentPage" | "requestsPage" | "mayWatchPage" | "watchedByPage", number>;
export type AssociationDetails = Answer<"/api/associations/:id", "$get">;
export type Alias = Answer<"/api/associations/:id/aliases", "$get">["items"][number];
export type AliasesAdded = Answer<"/api/associations/:id/aliases/import", "$post">;
export type AliasImport =
  | { from: "text"; text: string }
  | { from: AliasService; key: string; base?: string | undefined };
export type BulkPreview = Answer<"/api/associations/bulk/preview", "$post">;
export type SentInvitation = Answer<"/api/invitations/sent", "$get">["items"][number];
export type AccessRequest = Answer<"/api/invitations/requests", "$get">["items"][number];
export type MayWatch = Answer<"/api/grants/may-watch", "$get">["items"][number];
export type WatchedBy = Answer<"/api/grants/watched-by", "$get">["items"][number];
export type ConsentStory = Answer<"/api/grants/:id/record", "$get">;
export type Contact = Association["contacts"][number];
export type ContactState = Contact["state"];
export type AlertPage = Answer<"/api/alerts", "$get">;
export type Alert = AlertPage["items"][number];
export type AlertDetails = Answer<"/api/alerts/:id", "$get">;
export type AlertFacets = Answer<"/api/alerts/facets", "$get">;
export type AlertFigures = Answer<"/api/alerts/figures", "$get">;
/** Outcome of changing several alerts at once; alerts that another request changed first are listed as conflicts. */
export type AlertsChanged = Answer<"/api/alerts/handle", "$post">;
export type BellNews = Answer<"/api/bell", "$get">;
/** Details of a breach; null where the account may not see them. */
export type Breach = NonNullable<Alert["breach"]>;
export type Monitoring = Answer<"/api/monitoring", "$get">;
export type Traces = Answer<"/api/monitoring/traces", "$get">;
export type Finding = Monitoring["findings"][number];
export type ConsentLink = Answer<"/api/invitation-links/inspect", "$post">;
export type AlertFilter = {
  state?: "all" | Alert["state"];
  search?: string;
  address?: string;
  /** A key of the data class catalogue. */
  category?: string;
  flag?: BreachFlag | undefined;
  sort?: AlertSort;
  direction?: Direction;
  page?: number;
};
export type Subscription = Answer<"/api/subscription", "$get">;
export type ContactLink = Answer<"/api/contact-links/inspect", "$post">;
/** A contact with its delivery health, as its own account sees it. */
export type ContactHealth = Answer<"/api/contacts", "$get">["items"][number];
/** One message to one contact, with its delivery state. */
export type Delivery = Answer<"/api/test-alerts", "$get">["items"][number];
/** The fire drill that is running. */
export type FireDrill = NonNullable<Answer<"/api/fire-drill", "$get">["drill"]>;
export type TelegramLink = Answer<"/api/contacts/:id/telegram-link", "$get">;
export type StartedLink = Answer<"/api/contacts/:id/telegram-link", "$post">;
export type Profile = Answer<"/api/profile", "$get">;
export type EmailChangeLink = Answer<"/api/email-change/inspect", "$post">;
export type Belongings = Answer<"/api/profile/deletion", "$get">;
export type Factors = Answer<"/api/factors", "$get">;
export type Passkey = Factors["passkeys"][number];
export type SessionEntry = Answer<"/api/sessions", "$get">["sessions"][number];
export type ActivityEvent = Answer<"/api/activity", "$get">["events"][number];

export type Provider = Instance["providers"][number];
export type SignInUnderWay = Answer<"/api/sign-in", "$get">;
export type Method = SignInUnderWay["methods"][number];
export type Returned = Answer<"/api/providers/:provider/finish", "$post">;
/** Profile from a sign-in provider of a person who has no account here yet. */
export type Newcomer = Extract<Returned, { outcome: "no_account" }>["profile"];

export type Registration = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  confirmPassword: string;
  language: Language;
  companyName?: string;
  terms: true;
  termsVersion: string;
};
export type NewPassword = { token: string; password: string; confirmPassword: string };
/** Holds only the chosen channels. */
export type ChosenContacts = Partial<Record<Channel, string[]>>;
export type TrackSettings = {
  owner: boolean;
  language: Language;
  /** Set when the owner of the address has to be invited. */
  invitationLanguage?: Language;
  contacts: ChosenContacts;
};
export type Tracking = TrackSettings & { address: string };
export type BulkTracking = TrackSettings & { addresses: string[] };
export type TrackingUpdate = TrackSettings & { paused: boolean };
/** The consented scope, and the language in which the consent text was read. */
export type Agreement = ConsentScope & { language: Language };

/** Optimistic locking: a change names the version that it was based on. */
type AlertVersion = Pick<Alert, "id" | "version">;
/** The optional reason and note sent when alerts are marked as handled. */
export type HandlingWords = { reason: HandleReason | null; note: string | null };

function versionsOf(alerts: AlertVersion[]): AlertVersion[] {
  return alerts.map(({ id, version }) => ({ id, version }));
}

/** The download address of the filtered alerts as CSV. */
export function csvAddress(filter: AlertFilter, language: Language): string {
  return urlOf("/api/alerts.csv", { query: { ...filter, language } });
}

/** The API calls of the screens, except those in the `*_api.ts` files beside this one. */
export const api = {
  checkAuthentication: () => get("/api/check-user-authentication/"),
  checkSubscription: () => get("/api/check-subscription/"),
  checkCanAdd: () => get("/api/check-aggiungere-email/"),
  checkAssociation: (id: string) => get("/api/check-user-belong-association/", { query: { association_id: id } }),
  checkMonitoring: (child_email: string) =>
    get("/api/check-user-autorizzato-monitoraggio/", { query: { child_email } }),
  instance: () => get("/api/instance"),
  serviceStatus: () => get("/api/service-status"),
  register: (body: Registration) => post("/api/register", { body }),
  login: (body: { email: string; password: string }) => post("/api/login", { body }),
  verifyCode: (body: { code: string }) => post("/api/verify-code", { body }),
  resendCode: () => post("/api/resend-code"),
  signInUnderWay: () => get("/api/sign-in"),
  verifyAuthenticator: (body: { code: string }) => post("/api/verify-authenticator", { body }),
  verifyRecoveryCode: (body: { code: string }) => post("/api/verify-recovery-code", { body }),
  passkeyOptions: () => post("/api/verify-passkey/options"),
  verifyPasskey: (body: { response: object }) => post("/api/verify-passkey", { body }),
  startProvider: (provider: string, body: { purpose: "sign_in" | "link" | "confirm"; invitation?: string }) =>
    post("/api/providers/:provider/start", { params: { provider }, body }),
  finishProvider: (provider: string, body: { state: string; code?: string; iss?: string; language: Language }) =>
    post("/api/providers/:provider/finish", { params: { provider }, body }),
  inspectRegistrationLink: (invitation: string) => post("/api/register/inspect", { body: { invitation } }),
  forgotPassword: (body: { email: string }) => post("/api/forgot-password", { body }),
  checkResetLink: (token: string) => post("/api/reset-password/check", { body: { token } }),
  resetPassword: (body: NewPassword) => post("/api/reset-password", { body }),
  logout: () => post("/api/logout"),
  inspectEmailChange: (token: string) =>
    call<EmailChangeLink>("POST", "/api/email-change/inspect", { body: { token } }),
  confirmEmailChange: (token: string) =>
    call<{ email: string }>("POST", "/api/email-change/confirm", { body: { token } }),
  me: () => get("/api/me"),
  subscription: () => get("/api/subscription"),
  associations: (query: AssociationFilter, signal?: AbortSignal) => get("/api/associations", { query, signal }),
  dashboard: (query: DashboardFilter, signal?: AbortSignal) => get("/api/dashboard", { query, signal }),
  track: (body: Tracking) => post("/api/associations", { body }),
  stopTracking: (id: string) => remove("/api/associations/:id", { params: { id } }),
  stopTrackingAll: (ids: string[]) => post("/api/associations/remove", { body: { ids } }),
  association: (id: string) => get("/api/associations/:id", { params: { id } }),
  updateAssociation: (id: string, body: TrackingUpdate) => put("/api/associations/:id", { params: { id }, body }),
  pauseAssociation: (id: string, paused: boolean) =>
    post("/api/associations/:id/pause", { params: { id }, body: { paused } }),
  keepAssociations: (ids: string[]) => post("/api/associations/keep", { body: { ids } }),
  aliases: (id: string, signal?: AbortSignal) => get("/api/associations/:id/aliases", { params: { id }, signal }),
  importAliases: (id: string, body: AliasImport) =>
    post("/api/associations/:id/aliases/import", { params: { id }, body }),
  removeAlias: (id: string, aliasId: string) =>
    remove("/api/associations/:id/aliases/:aliasId", { params: { id, aliasId } }),
  inspectAlias: (token: string) => post("/api/aliases/inspect", { body: { token } }),
  confirmAlias: (token: string) => post("/api/aliases/confirm", { body: { token } }),
  previewBulk: (text: string) => post("/api/associations/bulk/preview", { body: { text } }),
  trackAll: (body: BulkTracking) => post("/api/associations/bulk", { body }),
  cancelInvitation: (id: string) => post("/api/invitations/:id/cancel", { params: { id } }),
  acceptRequest: (id: string, body: Agreement) => post("/api/invitations/:id/accept", { params: { id }, body }),
  declineRequest: (id: string, block: boolean) =>
    post("/api/invitations/:id/decline", { params: { id }, body: { block } }),
  withdrawGrant: (id: string, block: boolean) => post("/api/grants/:id/withdraw", { params: { id }, body: { block } }),
  changeScope: (id: string, body: Agreement) => put("/api/grants/:id/scope", { params: { id }, body }),
  consentRecord: (id: string) => get("/api/grants/:id/record", { params: { id } }),
  alerts: (query: AlertFilter, signal?: AbortSignal) => get("/api/alerts", { query, signal }),
  alert: (id: string) => get("/api/alerts/:id", { params: { id } }),
  monitoring: (child_email: string, signal?: AbortSignal) => get("/api/monitoring", { query: { child_email }, signal }),
  traces: (child_email: string, signal?: AbortSignal) =>
    get("/api/monitoring/traces", { query: { child_email }, signal }),
  askTraces: (address: string) => post("/api/monitoring/traces", { body: { address } }),
  tickSite: (body: { address: string; site: string; done: boolean }) => put("/api/monitoring/traces/sites", { body }),
  alertFacets: (signal?: AbortSignal) => get("/api/alerts/facets", { signal }),
  alertFigures: (signal?: AbortSignal) => get("/api/alerts/figures", { signal }),
  handleAlerts: (alerts: AlertVersion[], words: HandlingWords) =>
    post("/api/alerts/handle", { body: { alerts: versionsOf(alerts), ...words } }),
  handleAlert: (id: string, body: { version: number }) => post("/api/alerts/:id/handle", { params: { id }, body }),
  reopenAlerts: (alerts: AlertVersion[]) => post("/api/alerts/reopen", { body: { alerts: versionsOf(alerts) } }),
  tickStep: (id: string, body: { step: string; done: boolean }) =>
    put("/api/alerts/:id/steps", { params: { id }, body }),
  notePasswordChange: (id: string, body: { changed: PasswordChange }) =>
    put("/api/alerts/:id/password", { params: { id }, body }),
  letterFacts: (id: string, country: LetterCountry) =>
    get("/api/alerts/:id/letter", { params: { id }, query: { country } }),
  noteLetter: (id: string, body: LetterInput) => post("/api/alerts/:id/letters", { params: { id }, body }),
  letters: (signal?: AbortSignal) => get("/api/letters", { signal }),
  answerLetter: (id: string, answered: boolean) =>
    put("/api/letters/:id/answered", { params: { id }, body: { answered } }),
  removeLetter: (id: string) => remove("/api/letters/:id", { params: { id } }),
  authorities: (country: LetterCountry) => get("/api/authorities", { query: { country } }),
  bell: (signal?: AbortSignal) => get("/api/bell", { signal }),
  markBellSeen: (until: string) => post("/api/bell/seen", { body: { until } }),
  alertDeliveries: (id: string) => get("/api/alerts/:id/deliveries", { params: { id } }),
  contacts: (query: { page?: number; value?: string }, signal?: AbortSignal) => get("/api/contacts", { query, signal }),
  saveContactSettings: (id: string, body: SettingsInput) => put("/api/contacts/:id/settings", { params: { id }, body }),
  addContact: (body: ContactInput) => post("/api/contacts", { body }),
  pushKey: () => get("/api/push/key"),
  connectChat: (body: ChatInput) => post("/api/chats", { body }),
  connectDevice: (body: DeviceInput) => post("/api/push/devices", { body }),
  askContact: (id: string) => post("/api/contacts/:id/ask", { params: { id } }),
  repairContact: (id: string) => post("/api/contacts/:id/repair", { params: { id } }),
  renewSecret: (id: string) => post("/api/contacts/:id/secret", { params: { id } }),
  removeContact: (id: string) => remove("/api/contacts/:id", { params: { id } }),
  startTelegramLink: (id: string, whose: "me" | "group" | "somebody") =>
    post("/api/contacts/:id/telegram-link", { params: { id }, body: { whose } }),
  telegramLink: (id: string, signal?: AbortSignal) =>
    get("/api/contacts/:id/telegram-link", { params: { id }, signal }),
  confirmTelegramLink: (id: string) => post("/api/contacts/:id/telegram-link/confirm", { params: { id } }),
  sendTests: (contactIds: string[]) => post("/api/test-alerts", { body: { contactIds } }),
  tests: (ids: string[], signal?: AbortSignal) => get("/api/test-alerts", { query: { ids: ids.join(",") }, signal }),
  drill: (signal?: AbortSignal) => get("/api/fire-drill", { signal }),
  startDrill: (associationId: string) => post("/api/fire-drill", { body: { associationId } }),
  endDrill: () => remove("/api/fire-drill"),
  inspectContactLink: (token: string) => post("/api/contact-links/inspect", { body: { token } }),
  answerContactLink: (answer: "confirm" | "unsubscribe" | "resubscribe", token: string) =>
    post(`/api/contact-links/${answer}`, { body: { token } }),
  inspectConsentLink: (token: string) => post("/api/invitation-links/inspect", { body: { token } }),
  acceptByLink: (token: string, agreement: Agreement) =>
    post("/api/invitation-links/accept", { body: { token, ...agreement } }),
  declineByLink: (token: string, block: boolean) => post("/api/invitation-links/decline", { body: { token, block } }),
  changeScopeByLink: (token: string, agreement: Agreement) =>
    post("/api/invitation-links/scope", { body: { token, ...agreement } }),
  withdrawByLink: (token: string, block: boolean) => post("/api/invitation-links/withdraw", { body: { token, block } }),
  profile: () => get("/api/profile"),
  changeProfile: (body: ProfileInput) => put("/api/profile", { body }),
  confirmPassword: (body: { password: string }) => post("/api/confirm-password", { body }),
  changePassword: (body: ChangePasswordInput) => put("/api/profile/password", { body }),
  changeEmail: (body: ChangeEmailInput) => post("/api/profile/email", { body }),
  summary: () => get("/api/profile/summary"),
  changeSummary: (every: SummaryEvery | null) => put("/api/profile/summary", { body: { every } }),
  cancelEmailChange: () => remove("/api/profile/email"),
  acceptTerms: (version: string) => post("/api/terms/accept", { body: { version } }),
  exportData: () => post("/api/profile/export"),
  deletion: () => get("/api/profile/deletion"),
  deleteAccount: (body: DeleteAccountInput) => post("/api/profile/delete", { body }),
  factors: () => get("/api/factors"),
  addAuthenticator: () => post("/api/factors/authenticator"),
  confirmAuthenticator: (body: { code: string }) => post("/api/factors/authenticator/confirm", { body }),
  removeAuthenticator: () => remove("/api/factors/authenticator"),
  passkeyCreationOptions: () => post("/api/factors/passkeys/options"),
  addPasskey: (body: { name: string; response: object }) => post("/api/factors/passkeys", { body }),
  renamePasskey: ({ id, name }: { id: string; name: string }) =>
    put("/api/factors/passkeys/:id", { params: { id }, body: { name } }),
  removePasskey: (id: string) => remove("/api/factors/passkeys/:id", { params: { id } }),
  makeRecoveryCodes: () => post("/api/factors/recovery-codes"),
  sessions: () => get("/api/sessions"),
  endSession: (id: string) => remove("/api/sessions/:id", { params: { id } }),
  endOtherSessions: () => post("/api/sessions/end-others"),
  activity: () => get("/api/activity"),
  linkedProviders: () => get("/api/providers"),
  unlinkProvider: (provider: string) => remove("/api/providers/:provider", { params: { provider } }),
};
