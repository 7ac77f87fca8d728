type Rule = {
  /** The canonical domain, where the same name is one mailbox at all of the provider's domains. */
  domain?: string;
  /** Characters that the provider ignores. */
  ignored?: RegExp;
  /** What separates the name from a tag, besides the plus sign. */
  separator?: string;
  /** The provider documents that `name+tag` is delivered to `name`, at each of its domains or at all of them alike. */
  tags?: "each" | "all";
};

const GMAIL: Rule = { domain: "gmail.com", ignored: /\./g, tags: "all" };
const ICLOUD: Rule = { domain: "icloud.com" };
const PROTON: Rule = { domain: "proton.me", ignored: /[._-]/g, tags: "each" };
const YANDEX: Rule = { domain: "yandex.ru" };
const YAHOO: Rule = { separator: "-" };

const RULES: Record<string, Rule> = {
  "gmail.com": GMAIL,
  "googlemail.com": GMAIL,
  "icloud.com": ICLOUD,
  "me.com": ICLOUD,
  "mac.com": ICLOUD,
  "proton.me": PROTON,
  "protonmail.com": PROTON,
  "pm.me": PROTON,
  "ya.ru": YANDEX,
  "yandex.ru": YANDEX,
  "yandex.com": YANDEX,
  "ymail.com": YAHOO,
  "rocketmail.com": YAHOO,
  "fastmail.com": { tags: "each" },
  "fastmail.fm": { tags: "each" },
};
const YAHOO_DOMAIN = /^yahoo\.([a-z]{2,3}|com?\.[a-z]{2})$/;
/** `anything@name.fastmail.com` is delivered to `name@fastmail.com`. */
const FASTMAIL_SUBDOMAIN = /^([a-z0-9_-]+)\.(fastmail\.(?:com|fm))$/;

function untagged(local: string, separator: string): string {
  const end = local.indexOf(separator, 1);
  return end < 0 ? local : local.slice(0, end);
}

/**
 * Identifies the mailbox behind a normalised address: the same text for every spelling that its provider delivers to one person.
 * Use it only for keyed hashes and mail limits; everywhere else two addresses of one mailbox stay distinct, as breach sources
 * distinguish them. Rules: Google "Dots don't matter in Gmail addresses" (gmail.com and googlemail.com are one); Apple "Change
 * your @icloud.com, @me.com or @mac.com address"; Proton "Addresses and aliases" (dots, hyphens and underscores are ignored, all
 * three domains belong to one person); Yandex Help "Mailbox aliases (synonyms)" (its domains are one); Yahoo Help "Disposable
 * addresses" (name-keyword@); Fastmail "Plus addressing and subdomain addressing". Everywhere else RFC 5233: `name+tag` is
 * `name`.
 */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf("@");
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const subdomain = FASTMAIL_SUBDOMAIN.exec(host);
  if (subdomain) return `${subdomain[1]}@${subdomain[2]}`;
  const { domain = host, ignored, separator }: Rule = RULES[host] ?? (YAHOO_DOMAIN.test(host) ? YAHOO : {});
  const base = untagged(name, "+");
  const short = separator === undefined ? base : untagged(base, separator);
  const plain = ignored ? short.replace(ignored, "") : short;
  // Removing a tag can leave a trailing dot, which is invalid in an address.
  return `${plain.replace(/\.+$/, "") || short}@${domain}`;
}

/**
 * Whether a provider's documented rule delivers both addresses to one person. Stricter than `mailboxKey`, as it decides whose
 * data is shown: elsewhere `name+tag` can be the mailbox of another person, and so can a Yahoo name with a hyphen. Rules:
 * - Gmail: https://support.google.com/mail/answer/7436150 (dots), https://support.google.com/mail/answer/22370 (tags)
 * - Proton: https://proton.me/support/change-username (dots, hyphens and underscores), https://proton.me/support/creating-aliases
 *   (tags)
 * - Fastmail: https://www.fastmail.help/hc/en-us/articles/360060591053 (tags and subdomains)
 */
export function isSameByRule(one: string, other: string): boolean {
  if (one === other || mailboxKey(one) !== mailboxKey(other)) return false;
  const [host, otherHost] = [providerOf(one), providerOf(other)];
  const [tags, otherTags] = [RULES[host]?.tags, RULES[otherHost]?.tags];
  return (tags !== undefined && host === otherHost) || (tags === "all" && otherTags === "all");
}

/** The domain, for Fastmail's subdomains the one above. */
function providerOf(address: string): string {
  const host = address.slice(address.lastIndexOf("@") + 1);
  return FASTMAIL_SUBDOMAIN.exec(host)?.[2] ?? host;
}
