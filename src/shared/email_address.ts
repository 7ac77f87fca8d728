import { normalised, trimmed } from "./unicode.ts";

/** Length limit of a typed address: 254 for its stored form, with room for the Unicode spelling of its domain. */
export const EMAIL_TYPED_MAX = 320;

/**
 * Domains that IDNA leaves unchanged: letters, digits and hyphens, with a top-level domain of letters, so that it is no IP
 * address.
 */
const PLAIN_DOMAIN = /^[a-z0-9.-]+\.[a-z]{2,63}$/;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
// The URL parser silently drops control characters at the end.
const FORBIDDEN_IN_DOMAIN = /[\s\p{Cc}/?#@:\\[\]%]/u;

/**
 * The comparison key of an email address: NFKC, lower case, domain in its ASCII (IDNA) form; undefined when it is not
 * one single mailbox. Dots and plus-tags stay: to a breach source they are different accounts. Quoted and non-ASCII
 * local parts are refused, as few mail servers deliver to them.
 */
export function normaliseEmail(typed: string): string | undefined {
  if (typed.length > EMAIL_TYPED_MAX) return undefined;
  const text = trimmed(normalised(typed, "NFKC")).toLowerCase();
  const at = text.lastIndexOf("@");
  if (at < 1) return undefined;
  const local = text.slice(0, at);
  const domain = asciiDomain(text.slice(at + 1).replace(/\.$/, ""));
  if (domain === undefined || local.length > 64 || !LOCAL_PART.test(local)) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= 254 ? address : undefined;
}

/** The ASCII (IDNA) form of a mail domain, also of one that was copied with "@" or as the address of a website; undefined for anything else. */
export function normaliseDomain(typed: string): string | undefined {
  if (typed.length > EMAIL_TYPED_MAX) return undefined;
  const text = trimmed(normalised(typed, "NFKC")).toLowerCase();
  const [, host = ""] = /^(?:https?:\/\/|@)?([^/]*)\/?$/.exec(text) ?? [];
  return asciiDomain(host.replace(/\.$/, ""));
}

function asciiDomain(domain: string): string | undefined {
  if (domain === "" || FORBIDDEN_IN_DOMAIN.test(domain)) return undefined;
  if (PLAIN_DOMAIN.test(domain) && !domain.includes("--")) return DOMAIN.test(domain) ? domain : undefined;
  try {
    // The URL parser is the platform's IDNA implementation (UTS 46).
    const ascii = new URL(`http://${domain}`).hostname;
    // An all-digit name would come back as an IPv4 address, which is no mail domain.
    return DOMAIN.test(ascii) && !/^[\d.]+$/.test(ascii) ? ascii : undefined;
  } catch {
    return undefined;
  }
}
