import type { AlertFacts, BreachFacts } from "../src/shared/breach.ts";
import type { Channel } from "../src/shared/contacts.ts";
import type { Language } from "../src/shared/language.ts";
import type { ErrorCode } from "../src/shared/result.ts";

/** What the server said, or that it could not be reached. */
export type FailureCode = ErrorCode | "UNREACHABLE";

export type ApiError = Error & {
  code: FailureCode;
  fields: Record<string, ErrorCode>;
  /** Whole seconds until it is worth trying again. */
  retryAfter: number | undefined;
};

type FailureBody = { code: ErrorCode; fields?: Record<string, ErrorCode>; retryAfter?: number };

function apiError(code: FailureCode, { fields = {}, retryAfter }: Partial<FailureBody> = {}): ApiError {
  return Object.assign(new Error(code), { name: "ApiError", code, fields, retryAfter });
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError";
}

/** The value of a call, or an `ApiError`. Every call to the server goes through here. */
async function call<Value>(answer: Promise<Response>): Promise<Value> {
  const response = await answer.catch(() => {
    throw apiError("UNREACHABLE");
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body as Value;
  const failure = (body ?? {}) as Partial<FailureBody>;
  throw apiError(failure.code ?? "GENERIC", failure);
}

type Query = Record<string, string | number | undefined>;

function get<Value>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Value> {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") params.set(name, `${value}`);
  const search = params.size > 0 ? `?${params}` : "";
  return call(fetch(path + search, { credentials: "same-origin", ...(signal && { signal }) }));
}

function send<Value>(method: "POST" | "DELETE", path: string, body: object = {}): Promise<Value> {
  const headers = { "Content-Type": "application/json" };
  return call(fetch(path, { method, headers, credentials: "same-origin", body: JSON.stringify(body) }));
}

type Nothing = Record<never, never>;
export type AuthLevel = "unauthenticated" | "partial" | "authenticated";

export type Instance = {
  demonstration: boolean;
  mailbox: boolean;
  billing: "off" | "sandbox";
  exampleAddresses: string[];
  /** Who runs this installation, for the terms. */
  operator: { name: string; canton: string; supportEmail: string };
};

export type Me = {
  firstName: string;
  lastName: string;
  email: string;
  language: Language;
  companyName: string | null;
};

export type ContactState = "unconfirmed" | "active" | "unsubscribed" | "broken";
export type Contact = { channel: Channel; value: string; state: ContactState };
export type AssociationStatus = "safe" | "active" | "breached" | "inactive";

export type Association = {
  id: string;
  address: string;
  status: AssociationStatus;
  language: Language;
  pendingAlerts: number;
  checkedAt: string | null;
  nextCheckAt: string | null;
  contacts: Contact[];
};

type Page<Item> = { items: Item[]; total: number; page: number; pageSize: number };
export type AssociationPage = Page<Association> & { capacity: { used: number; cap: number | null } };
export type AssociationFilter = { search?: string; status?: "all" | AssociationStatus; page?: number };

export type Alert = Pick<AlertFacts, "associationId" | "address" | "state"> & {
  id: string;
  /** Found by the first check of its address. */
  baseline: boolean;
  raisedAt: string;
  handledAt: string | null;
  version: number;
  breach: BreachFacts;
};
export type AlertPage = Page<Alert> & { pending: number };
export type AlertFilter = { state?: "all" | Alert["state"]; search?: string; page?: number };

export type Subscription = {
  status: "active" | "trial" | "inactive";
  plan: "trial" | "off";
  trialEndsAt: string | null;
  daysLeft: number | null;
  cap: number | null;
};

export type ContactLink = {
  purpose: "confirm" | "unsubscribe";
  /** Masked: enough for its owner to know it, not for others. */
  value: string;
  state: ContactState;
  language: Language;
};

export type Registration = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  confirmPassword: string;
  language: Language;
  companyName?: string;
  terms: true;
};
export type Tracking = { address: string; owner: boolean; language: Language; contacts: Record<Channel, string[]> };

const segment = encodeURIComponent;

/** Every call the screens make. */
export const api = {
  checkAuthentication: () => get<{ auth_level: AuthLevel }>("/api/check-user-authentication/"),
  checkSubscription: () => get<{ status: Subscription["status"] }>("/api/check-subscription/"),
  checkCanAdd: () => get<{ can_add_more: boolean }>("/api/check-aggiungere-email/"),
  instance: () => get<Instance>("/api/instance"),
  register: (input: Registration) => send<{ email: string }>("POST", "/api/register", input),
  login: (input: { email: string; password: string }) => send<{ email: string }>("POST", "/api/login", input),
  verifyCode: (input: { code: string }) => send<{ language: Language }>("POST", "/api/verify-code", input),
  resendCode: () => send<{ retryAfter: number }>("POST", "/api/resend-code"),
  logout: () => send<Nothing>("POST", "/api/logout"),
  me: () => get<Me>("/api/me"),
  subscription: () => get<Subscription>("/api/subscription"),
  associations: (filter: AssociationFilter, signal?: AbortSignal) =>
    get<AssociationPage>("/api/associations", filter, signal),
  track: (input: Tracking) => send<{ id: string }>("POST", "/api/associations", input),
  stopTracking: (id: string) => send<Nothing>("DELETE", `/api/associations/${segment(id)}`),
  alerts: (filter: AlertFilter, signal?: AbortSignal) => get<AlertPage>("/api/alerts", filter, signal),
  alert: (id: string) => get<Alert>(`/api/alerts/${segment(id)}`),
  handleAlert: ({ id, version }: Alert) => send<Alert>("POST", `/api/alerts/${segment(id)}/handle`, { version }),
  reopenAlert: ({ id, version }: Alert) => send<Alert>("POST", `/api/alerts/${segment(id)}/reopen`, { version }),
  inspectContactLink: (token: string) => send<ContactLink>("POST", "/api/contact-links/inspect", { token }),
  answerContactLink: (answer: "confirm" | "unsubscribe" | "resubscribe", token: string) =>
    send<{ state: ContactState }>("POST", `/api/contact-links/${answer}`, { token }),
};
