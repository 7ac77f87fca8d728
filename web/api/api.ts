import type { AlertSort, Direction, HandleReason } from "../../src/shared/alert.ts";
import type { BreachFlag } from "../../src/shared/breach.ts";
import type { Language } from "../../src/shared/language.ts";
import { type Answer, type Body, urlOf } from "./call.ts";

export { type ApiError, type FailureCode, isApiError } from "./call.ts";

export type AuthLevel = Answer<"/api/check-user-authentication/", "$get">["auth_level"];
export type Instance = Answer<"/api/instance", "$get">;
export type Letter = Answer<"/api/letters", "$get">["items"][number];
export type LetterFacts = Answer<"/api/alerts/:id/letter", "$get">;
export type Authority = Answer<"/api/authorities", "$get">["authorities"][number];
export type LetterInput = Body<"/api/alerts/:id/letters", "$post">;
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
export type AliasImport = Body<"/api/associations/:id/aliases/import", "$post">;
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

export type Registration = Body<"/api/register", "$post">;
export type NewPassword = Body<"/api/reset-password", "$post">;
export type Tracking = Body<"/api/associations", "$post">;
/** Holds only the chosen channels. */
export type ChosenContacts = Tracking["contacts"];
/** The consented scope, and the language in which the consent text was read. */
export type Agreement = Body<"/api/invitations/:id/accept", "$post">;

/** The optional reason and note sent when alerts are marked as handled. */
export type HandlingWords = { reason: HandleReason | null; note: string | null };

/** The download address of the filtered alerts as CSV. */
export function csvAddress(filter: AlertFilter, language: Language): string {
  return urlOf("/api/alerts.csv", { query: { ...filter, language } });
}
