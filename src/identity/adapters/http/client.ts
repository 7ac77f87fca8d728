import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { replyFailure } from "../../../http/reply.ts";
import { type HttpEnv, sessionCookie } from "../../../http/session.ts";
import { fail } from "../../../shared/result.ts";
import type { Renewed } from "../../account/confirm_password.ts";
import type { Identity } from "../../mod.ts";
import type { Client } from "../../ports.ts";
import type { Completed } from "../../sign_in/second_step.ts";
import { deviceOf } from "./user_agent.ts";

/** For everything about passwords: refused where providers are the only way to sign in. */
export function needsPasswords({ providersOnly }: Pick<Identity, "providersOnly">): MiddlewareHandler<HttpEnv> {
  return async (c, next) => (providersOnly ? replyFailure(c, fail("PASSWORDS_OFF")) : next());
}

const YEAR_SECONDS = 365 * 24 * 3600;

/** The cookies of signing in. `secure`: over https, where the prefix `__Host-` ties them to one host. */
export function signInCookies(secure: boolean) {
  const session = sessionCookie(secure);
  const device = secure ? "__Host-device" : "device";
  const attributes = { httpOnly: true, sameSite: "Lax", path: "/", secure } as const;
  const keepDevice = (c: Context, deviceToken: string | undefined) =>
    deviceToken !== undefined && setCookie(c, device, deviceToken, { ...attributes, maxAge: YEAR_SECONDS });
  function keepSession(c: Context, { token, cookieSeconds, deviceToken }: Renewed): void {
    setCookie(c, session, token, { ...attributes, maxAge: cookieSeconds });
    keepDevice(c, deviceToken);
  }
  return {
    /** The request's origin; `c` is any context of our app. */
    clientOf(c: Context): Client {
      return {
        ip: c.get("clientIp"),
        token: c.get("sessionToken"),
        deviceToken: getCookie(c, device),
        device: deviceOf(c.req.header("User-Agent")),
      };
    },
    /** The cookie of a partial session ends with the browser session. */
    startSession: (c: Context, token: string) => setCookie(c, session, token, attributes),
    completeSession: (c: Context, completed: Omit<Completed, "language">) => keepSession(c, completed),
    /** Renews the cookie of a known browser. */
    keepDevice,
    /** Sets the rotated token of a session. */
    renewSession: keepSession,
    /**
     * Also clears the browser's HTTP cache, as cached logos reveal which breaches were viewed. Not `cookies`, which would affect
     * the whole domain, nor `storage`, which holds the device's language and theme; the page clears private entries itself.
     */
    endSession(c: Context): void {
      deleteCookie(c, session, attributes);
      c.header("Clear-Site-Data", '"cache"');
    },
    /** Makes the browser an unknown one. */
    forgetDevice: (c: Context) => deleteCookie(c, device, attributes),
  };
}
