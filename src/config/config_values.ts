import * as v from "valibot";
import { isLoopbackHost } from "../shared/loopback.ts";

/** The values of settings, given their schemas by name. */
export type SettingsOf<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

export const onOff = v.picklist(["on", "off"], 'must be "on" or "off"');

export const matching = (pattern: RegExp, hint: string) => v.pipe(v.string(), v.regex(pattern, hint));

/** A whole number, at least 1. */
export const count = v.pipe(
  v.string(),
  v.digits("must be a number"),
  v.toNumber(),
  v.minValue(1, "must be at least 1"),
);

/** The parts of a comma-separated list. */
export function listed(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

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
export function isSecure(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}

/** A secure address without a path, which the clients would drop. */
export const secureOrigin = v.pipe(
  v.string(),
  v.check(
    (text) => isOrigin(text) && isSecure(text),
    "must be an https address without a path (http only on this machine)",
  ),
);

/** The address of a service that is trusted because of TLS. */
export const secureAddress = v.pipe(
  v.string(),
  v.check(isSecure, "must be an https address (http only on this machine)"),
);

/** Of settings that belong together, those that are missing where one is given. */
export function incomplete<Name extends string>(
  settings: { [Each in Name]?: unknown },
  names: readonly Name[],
): string[] {
  const given = names.find((name) => settings[name] !== undefined);
  if (given === undefined) return [];
  const missing = names.filter((name) => settings[name] === undefined);
  return missing.map((name) => `${name} is missing: it belongs to ${given}`);
}
