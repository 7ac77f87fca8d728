/** What the login can answer: their texts are loaded with the first page. */
export const LOGIN_ERRORS = [
  // the request itself
  ...(["INVALID_JSON", "INVALID_INPUT", "BODY_TOO_LARGE", "REQUEST_TIMEOUT", "MEDIA_TYPE_UNSUPPORTED"] as const),
  ...([
    "METHOD_NOT_ALLOWED",
    "CROSS_SITE",
    "UNAUTHENTICATED",
    "SESSION_EXPIRED",
    "RATE_LIMITED",
    "MAILBOX_LIMITED",
  ] as const),
  ...(["MAIL_LIMITED", "BUSY", "MAINTENANCE", "NOT_FOUND", "GENERIC"] as const),
  // fields
  ...(["FIELD_REQUIRED", "EMAIL_REQUIRED", "EMAIL_INVALID", "PASSWORD_REQUIRED", "PASSWORD_TOO_LONG"] as const),
  // signing in
  ...(["CREDENTIALS_INVALID", "LOCKED", "ACCOUNT_LOCKED", "PASSWORD_RESET_REQUIRED", "PASSWORDS_OFF"] as const),
  "PROVIDER_UNAVAILABLE",
] as const;

/** What only the registration can answer, and forms like it. */
export const REGISTRATION_ERRORS = [
  ...(["FIRST_NAME_REQUIRED", "LAST_NAME_REQUIRED", "NAME_TOO_LONG", "NAME_INVALID", "LANGUAGE_REQUIRED"] as const),
  ...(["TERMS_REQUIRED", "TERMS_CHANGED", "PASSWORD_CONFIRMATION_REQUIRED", "PASSWORD_TOO_SHORT"] as const),
  ...(["PASSWORD_NO_LOWERCASE", "PASSWORD_NO_UPPERCASE", "PASSWORD_NO_DIGIT", "PASSWORD_TOO_COMMON"] as const),
  ...([
    "PASSWORD_SIMILAR_EMAIL",
    "PASSWORD_SIMILAR_FIRST_NAME",
    "PASSWORD_SIMILAR_LAST_NAME",
    "PASSWORDS_DIFFER",
  ] as const),
  ...(["EMAIL_TAKEN", "REGISTRATION_CLOSED", "REGISTRATION_INVITE_ONLY", "REGISTRATION_LINK_INVALID"] as const),
  ...(["REGISTRATION_OTHER_EMAIL", "REGISTRATION_DOMAIN"] as const),
] as const;

/**
 * Every error code of the use cases. Each has an HTTP status in `http/reply.ts` and a sentence in
 * `locales/<language>/errors.json` in all six languages.
 */
export type ErrorCode =
  | (typeof LOGIN_ERRORS)[number]
  | (typeof REGISTRATION_ERRORS)[number]
  // personal tokens
  | "TOKEN_INVALID"
  | "TOKEN_NOT_ACCEPTED"
  | "INSUFFICIENT_SCOPE"
  // further steps of signing in
  | "CODE_INVALID"
  | "CODE_RESEND_TOO_SOON"
  | "RESET_LINK_INVALID"
  | "PASSWORD_UNCHANGED"
  // support
  | "TYPE_REQUIRED"
  | "PRIORITY_REQUIRED"
  | "SUBJECT_REQUIRED"
  | "DESCRIPTION_REQUIRED"
  | "MESSAGE_REQUIRED"
  | "PRIVACY_REQUIRED"
  | "CONVERSATION_FULL"
  // the profile
  | "REAUTHENTICATION_REQUIRED"
  | "PASSWORD_WRONG"
  | "EMAIL_UNCHANGED"
  | "EMAIL_LINK_INVALID"
  | "PASSKEY_INVALID"
  | "PASSKEY_NAME_REQUIRED"
  | "TOO_MANY_PASSKEYS"
  | "TOKEN_NAME_REQUIRED"
  | "SCOPE_REQUIRED"
  | "SCOPE_INCOMPLETE"
  | "TOO_MANY_TOKENS"
  | "AUTHENTICATOR_EXISTS"
  | "PROVIDER_REFUSED"
  | "PROVIDER_EMAIL_UNVERIFIED"
  | "PROVIDER_ALREADY_LINKED"
  // tracking
  | "ADDRESS_REQUIRED"
  | "ADDRESS_ALREADY_TRACKED"
  | "INVITATION_DECLINED_RECENTLY"
  | "INVITATION_INVALID"
  | "BULK_TOO_LARGE"
  | "LINE_DUPLICATE"
  | "TOO_MANY_ALIASES"
  | "ALIAS_KEY_REQUIRED"
  | "ALIAS_KEY_REFUSED"
  | "ALIAS_SERVICE_UNAVAILABLE"
  | "SERVICE_URL_INVALID"
  | "METHOD_REQUIRED"
  | "EMAIL_CONTACT_REQUIRED"
  | "TELEGRAM_CONTACT_REQUIRED"
  | "PUSHOVER_CONTACT_REQUIRED"
  | "NTFY_CONTACT_REQUIRED"
  | "WEBHOOK_CONTACT_REQUIRED"
  | "CONNECTION_REQUIRED"
  | "CONTACT_INVALID"
  | "TELEGRAM_NAME_INVALID"
  | "PUSHOVER_KEY_INVALID"
  | "NTFY_TOPIC_INVALID"
  | "WEBHOOK_INVALID"
  | "CHAT_ADDRESS_INVALID"
  | "CHAT_ENTRY_INVALID"
  | "PUSH_SUBSCRIPTION_ENDED"
  | "TOO_MANY_CONTACTS"
  | "CONTACT_LIMIT_REACHED"
  // access, also the `err` values of the error page
  | "USER_INACTIVE"
  | "USER_INSUFFICIENT"
  | "ACCESS_DENIED"
  | "MONITORING_SUSPENDED"
  | "INVITATION_PENDING"
  | "MONITORING_NOT_AUTHORISED"
  // plans and payment
  | "PLAN_UNKNOWN"
  | "PERIOD_UNKNOWN"
  | "CURRENCY_UNKNOWN"
  | "QUANTITY_INVALID"
  | "ALREADY_SUBSCRIBED"
  | "NOT_SUBSCRIBED"
  | "PLAN_UNCHANGED"
  | "QUOTE_OUTDATED"
  | "PAYMENT_REFUSED"
  | "PAYMENT_UNAVAILABLE"
  | "ORDER_NOT_FOUND"
  | "ORDER_UNAVAILABLE"
  | "SIGNATURE_INVALID"
  // alerts and links
  | "ALERT_CHANGED"
  | "NOTE_TOO_LONG"
  | "TEXT_TOO_LONG"
  | "TOO_MANY_ALERTS"
  | "TOO_MANY_LETTERS"
  | "LINK_INVALID"
  | "CHANNEL_UNAVAILABLE"
  | "TIME_INVALID"
  | "TIMES_EQUAL"
  | "END_BEFORE_START"
  | "ZONE_INVALID"
  | "DRILL_RUNNING"
  | "CONTACT_IS_LAST"
  | "CONTACT_SETTLED"
  | "CONTACT_ASKED_RECENTLY"
  | "TRACES_ASKED_RECENTLY"
  // whole domains
  | "DOMAIN_INVALID"
  | "DOMAIN_PUBLIC"
  | "DOMAIN_ALREADY_ADDED"
  | "DOMAIN_PROVEN"
  | "DOMAIN_UNPROVEN"
  | "SOURCE_UNAVAILABLE"
  // the staff
  | "STAFF_OWN_ACCOUNT"
  | "STAFF_LAST"
  | "STAFF_UNVERIFIED"
  | "REASON_REQUIRED"
  | "DAYS_INVALID";

/** Checks the spelling of a code where a schema takes any text. */
export const code = (name: ErrorCode): ErrorCode => name;

/** A failure: its code, the fields it concerns, and for locks and limits the seconds until a retry may succeed (whole). */
export type Failure<Code extends ErrorCode = ErrorCode> = {
  ok: false;
  code: Code;
  fields?: Record<string, ErrorCode>;
  retryAfter?: number;
  /** Where the site is to be opened instead. */
  publicUrl?: string;
};

/** The result of a use case. Only bugs and outages throw. */
export type Result<Value, Code extends ErrorCode = ErrorCode> = { ok: true; value: Value } | Failure<Code>;

export function ok(): { ok: true; value: undefined };
export function ok<Value>(value: Value): { ok: true; value: Value };
export function ok<Value>(value?: Value) {
  return { ok: true, value };
}

export function fail<Code extends ErrorCode>(code: Code, more: Omit<Failure, "ok" | "code"> = {}): Failure<Code> {
  return { ok: false, code, ...more };
}
