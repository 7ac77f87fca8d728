import { Hono } from "hono";
import { LANGUAGES } from "../shared/language.ts";
import type { HttpEnv } from "./session.ts";

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year for Expires. */
const GOOD_FOR_DAYS = 180;
/** The placeholder domain of an installation without a support address, where nobody reads mail. */
const NOWHERE = "@localhost.localdomain";

type Options = { supportEmail: string; publicUrl: string; now: () => Date };

/** Where to report a vulnerability (RFC 9116). Without a support address the file does not exist. */
export function securityTxt({ supportEmail, publicUrl, now }: Options) {
  return new Hono<HttpEnv>().get("/.well-known/security.txt", (c, next) => {
    if (supportEmail.endsWith(NOWHERE)) return next();
    const midnight = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${new Date(midnight + GOOD_FOR_DAYS * DAY_MS).toISOString()}`,
      `Preferred-Languages: ${LANGUAGES.join(", ")}`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return c.text(`${lines.join("\n")}\n`, 200, { "Cache-Control": "public, max-age=86400" });
  });
}
