import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sessionCookie } from "../../../http/session.ts";
import type { Renewed } from "../../account/confirm_password.ts";
import type { Client } from "../../ports.ts";
import type { Completed } from "../../sign_in/second_step.ts";
import { deviceOf } from "./user_agent.ts";

const YEAR_SECONDS = 365 * 24 * 3600;

/** The cookies of signing in. `secure`: https, where the prefix `__Host-` ties them to one host. */
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
    /** Where the request comes from; `c` is one of our own app, whatever has passed before. */
    clientOf(c: Context): Client {
      return {
        ip: c.get("clientIp"),
        token: c.get("sessionToken"),
        deviceToken: getCookie(c, device),
        device: deviceOf(c.req.header("User-Agent")),
      };
    },
    /** A partial session ends with the browser. */
    startSession: (c: Context, token: string) => setCookie(c, session, token, attributes),
    completeSession: (c: Context, completed: Omit<Completed, "language">) => keepSession(c, completed),
    /** This browser stays a known one. */
    keepDevice,
    /** A new token for a session that goes on. */
    renewSession: keepSession,
    /**
     * The browser forgets besides what it kept of this site's files, as pictures tell which breaches were looked at. Not
     * `cookies`, which are those of the whole domain, nor `storage`, which are the device's language and colours: what is
     * private there the page forgets by itself.
     */
    endSession(c: Context): void {
      deleteCookie(c, session, attributes);
      c.header("Clear-Site-Data", '"cache"');
    },
    /** Also no longer a known browser. */
    forgetDevice: (c: Context) => deleteCookie(c, device, attributes),
  };
}
