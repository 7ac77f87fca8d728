import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode, Failure, Result } from "../shared/result.ts";

/** The status of every code that is not a plain 422. */
const STATUS = {
  INVALID_JSON: 400,
  BODY_TOO_LARGE: 413,
  REQUEST_TIMEOUT: 408,
  MEDIA_TYPE_UNSUPPORTED: 415,
  METHOD_NOT_ALLOWED: 405,
  CROSS_SITE: 403,
  UNAUTHENTICATED: 401,
  SESSION_EXPIRED: 401,
  TOKEN_INVALID: 401,
  TOKEN_NOT_ACCEPTED: 403,
  INSUFFICIENT_SCOPE: 403,
  CREDENTIALS_INVALID: 401,
  CODE_INVALID: 401,
  RATE_LIMITED: 429,
  MAILBOX_LIMITED: 429,
  MAIL_LIMITED: 429,
  LOCKED: 429,
  CODE_RESEND_TOO_SOON: 429,
  BUSY: 503,
  MAINTENANCE: 503,
  NOT_FOUND: 404,
  GENERIC: 500,
  PASSWORD_RESET_REQUIRED: 403,
  ACCOUNT_LOCKED: 403,
  PASSWORDS_OFF: 403,
  REAUTHENTICATION_REQUIRED: 403,
  PASSWORD_WRONG: 403,
  EMAIL_LINK_INVALID: 410,
  PASSKEY_INVALID: 401,
  AUTHENTICATOR_EXISTS: 409,
  TERMS_CHANGED: 409,
  PROVIDER_UNAVAILABLE: 502,
  PROVIDER_REFUSED: 401,
  PROVIDER_EMAIL_UNVERIFIED: 403,
  PROVIDER_ALREADY_LINKED: 409,
  EMAIL_TAKEN: 409,
  ADDRESS_ALREADY_TRACKED: 409,
  INVITATION_DECLINED_RECENTLY: 409,
  INVITATION_INVALID: 410,
  BULK_TOO_LARGE: 413,
  ALIAS_SERVICE_UNAVAILABLE: 502,
  ALREADY_SUBSCRIBED: 409,
  NOT_SUBSCRIBED: 409,
  QUOTE_OUTDATED: 409,
  PAYMENT_REFUSED: 402,
  PAYMENT_UNAVAILABLE: 502,
  ORDER_NOT_FOUND: 404,
  ORDER_UNAVAILABLE: 502,
  SIGNATURE_INVALID: 400,
  ALERT_CHANGED: 409,
  CONVERSATION_FULL: 409,
  LINK_INVALID: 410,
  PUSH_SUBSCRIPTION_ENDED: 410,
  CHANNEL_UNAVAILABLE: 503,
  DRILL_RUNNING: 409,
  CONTACT_IS_LAST: 409,
  CONTACT_LIMIT_REACHED: 409,
  CONTACT_SETTLED: 409,
  CONTACT_ASKED_RECENTLY: 429,
  TRACES_ASKED_RECENTLY: 429,
  SOURCE_UNAVAILABLE: 503,
  DOMAIN_ALREADY_ADDED: 409,
  DOMAIN_PROVEN: 409,
  DOMAIN_UNPROVEN: 409,
  STAFF_OWN_ACCOUNT: 409,
  STAFF_LAST: 409,
  RESET_LINK_INVALID: 410,
  REGISTRATION_CLOSED: 403,
  REGISTRATION_INVITE_ONLY: 403,
  REGISTRATION_LINK_INVALID: 410,
  USER_INACTIVE: 403,
  USER_INSUFFICIENT: 403,
  ACCESS_DENIED: 403,
  MONITORING_SUSPENDED: 403,
  INVITATION_PENDING: 403,
  MONITORING_NOT_AUTHORISED: 403,
} as const satisfies Partial<Record<ErrorCode, ContentfulStatusCode>>;

export function statusOf(code: ErrorCode): ContentfulStatusCode {
  return (STATUS as Partial<Record<ErrorCode, ContentfulStatusCode>>)[code] ?? 422;
}

/** The body of every failure, with a Retry-After header where there is a wait. */
export type ErrorBody = Omit<Failure, "ok">;

export function replyFailure(c: Context, { code, fields, retryAfter, publicUrl }: ErrorBody) {
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  // The rate limiter of tokens has set its own headers already.
  if (retryAfter !== undefined && statusOf(code) === 429 && !c.res.headers.has("RateLimit"))
    c.header("RateLimit", `"default";r=0;t=${retryAfter}`);
  const body: ErrorBody = {
    code,
    ...(fields && { fields }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(publicUrl !== undefined && { publicUrl }),
  };
  return c.json(body, statusOf(code));
}

/** A use case's answer as a response: its value with 200 (or `status`), or its code with the code's status. */
export function reply<Value extends object | undefined, Status extends 200 | 201 | 202 = 200>(
  c: Context,
  result: Result<Value>,
  status?: Status,
) {
  if (!result.ok) return replyFailure(c, result);
  return c.json(
    (result.value ?? {}) as Value extends undefined ? Record<never, never> : Value,
    (status ?? 200) as Status,
  );
}
