import { errors } from "jose";
import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import * as v from "valibot";
import { fail, type Result } from "../../../shared/result.ts";
import { callFailure } from "./provider_fetch.ts";

export type Unidentified = Result<never, "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE">;

/**
 * Errors of a code that was used, expired or foreign, or of a user who declined; GitHub has its own. All others are our
 * configuration's fault.
 */
const REFUSALS = ["invalid_grant", "access_denied", "bad_verification_code"];
/** The answer was understood, and is not for us or not to be trusted. */
const UNTRUSTED = [
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_PARSE_ERROR",
  "OAUTH_UNSUPPORTED_OPERATION",
];

const errorBody = v.object({ body: v.object({ error: v.string() }) });
const hasStatus = v.object({ status: v.number() });

/** GitHub answers 200 with an error in the body. */
function errorIn({ cause }: Error): string | undefined {
  const inner = cause instanceof Error ? cause.cause : cause;
  return v.is(errorBody, inner) ? inner.body.error : undefined;
}

function refusal(error: string, status: number | undefined, onTrouble: (reason: string) => void): Unidentified {
  if (REFUSALS.includes(error)) return fail("PROVIDER_REFUSED");
  // What it says may quote anything.
  onTrouble(`the token endpoint refused us: ${/^\w{1,50}$/.test(error) ? error : (status ?? "an error")}`);
  return fail("PROVIDER_UNAVAILABLE");
}

/** Whether a signature could not be checked because the provider's keys could not be read. */
export function areKeysMissing(error: unknown): boolean {
  const codes = [errors.JWKSTimeout.code, errors.JWKSInvalid.code, errors.JOSEError.code];
  return error instanceof errors.JOSEError && codes.includes(error.code);
}

/** What a failed call of openid-client means; the operator is told of all but a refused code. */
export function failureOf(error: unknown, onTrouble: (reason: string) => void): Unidentified {
  if (error instanceof AuthorizationResponseError) return fail("PROVIDER_REFUSED");
  if (error instanceof ResponseBodyError) return refusal(error.error, error.status, onTrouble);
  if (areKeysMissing(error)) {
    onTrouble("its keys cannot be read");
    return fail("PROVIDER_UNAVAILABLE");
  }
  if (error instanceof errors.JOSEError) {
    onTrouble(`the signature of its ID token is not accepted: ${error.code}`);
    return fail("PROVIDER_REFUSED");
  }
  if (!(error instanceof ClientError)) {
    onTrouble(callFailure(error));
    return fail("PROVIDER_UNAVAILABLE");
  }
  const said = errorIn(error);
  if (said !== undefined) return refusal(said, undefined, onTrouble);
  const { cause, code = "" } = error;
  if (UNTRUSTED.includes(code)) {
    // The library's own words, which name a claim and quote no value.
    onTrouble(`its answer is not accepted: ${cause instanceof Error ? cause.message : error.message}`);
    return fail("PROVIDER_REFUSED");
  }
  if (code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT") onTrouble("it took too long");
  else if (v.is(hasStatus, cause)) onTrouble(`it answered in another form, with the status ${cause.status}`);
  else onTrouble(callFailure(cause ?? error));
  return fail("PROVIDER_UNAVAILABLE");
}
