import * as v from "valibot";
import { isLoopbackHost } from "../shared/loopback.ts";

/** A URL with one of these schemes, such as `postgres:`. */
export const url = (schemes: string[], hint: string) =>
  v.pipe(
    v.string(),
    v.check((text) => {
      const parsed = URL.parse(text);
      return parsed !== null && schemes.includes(parsed.protocol) && parsed.hostname !== "";
    }, `must be ${hint}`),
  );
/** A TCP port in decimal digits. */
export const port = v.pipe(
  v.string(),
  v.digits("must be a number"),
  v.toNumber(),
  v.maxValue(65_535, "must be at most 65535"),
);
/** Links and cookies are built on the bare origin: a path, a query or a password would be lost or leaked. */
export function isOrigin(text: string): boolean {
  const parsed = URL.parse(text);
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`;
}

/** The URL is public, so it must not contain a password. */
export const outsidePage = v.pipe(
  v.string(),
  v.check((text) => {
    const { protocol, username, password } = URL.parse(text) ?? {};
    return protocol === "https:" && !username && !password;
  }, "must be an https address without a password, such as https://status.breachbell.example"),
  v.transform((text) => new URL(text).href),
);

/** Must be https: secrets are sent there, and its answers are trusted because of TLS. */
function isSecure(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}

/** The address of a service that is trusted because of TLS. */
export const secureAddress = v.pipe(
  v.string(),
  v.check(isSecure, "must be an https address (http only on this machine)"),
);
