import { errors, jwtVerify } from "jose";
import * as v from "valibot";
import { fail, ok, type Result } from "../../../shared/result.ts";
import type { LogoutToken } from "../../sign_in/provider_ports.ts";
import { ALGORITHMS, type Discovered } from "./oidc_discovery.ts";
import { areKeysMissing } from "./provider_failures.ts";
import { callFailure } from "./provider_fetch.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Older tokens are refused. Their ids are remembered for longer. */
const NEWER_THAN_SECONDS = 300;

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255));
const logoutClaims = v.pipe(
  v.object({
    jti: text,
    sub: v.optional(text),
    sid: v.optional(text),
    events: v.object({ [EVENT]: v.looseObject({}) }),
    // Only ID tokens have one; they must not pass as logout tokens.
    nonce: v.optional(v.never()),
  }),
  v.check(({ sub, sid }) => sub !== undefined || sid !== undefined),
);

type Deps = { current: () => Promise<Discovered>; clientId: string; onTrouble: (reason: string) => void };

/** Checks a logout token as OpenID Connect Back-Channel Logout 1.0, 2.6 demands; the caller makes sure that it is used once. */
export function logoutTokenReader({ current, clientId, onTrouble }: Deps) {
  return async (token: string): Promise<Result<LogoutToken, "SIGNATURE_INVALID" | "PROVIDER_UNAVAILABLE">> => {
    try {
      const { configuration, keys } = await current();
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: configuration.serverMetadata().issuer,
        audience: clientId,
        requiredClaims: ["iat"],
        maxTokenAge: NEWER_THAN_SECONDS,
        clockTolerance: 30,
      });
      const { success, output } = v.safeParse(logoutClaims, payload);
      return success ? ok({ id: output.jti, subject: output.sub, sid: output.sid }) : fail("SIGNATURE_INVALID");
    } catch (error) {
      if (error instanceof errors.JOSEError && !areKeysMissing(error)) return fail("SIGNATURE_INVALID");
      onTrouble(`a logout token could not be checked: ${callFailure(error)}`);
      return fail("PROVIDER_UNAVAILABLE");
    }
  };
}
