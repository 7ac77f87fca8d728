import * as v from "valibot";
import { count, matching, type SettingsOf } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** How mail is sent. `mailbox` keeps it on this machine, for development. */
export type MailConfig =
  | { kind: "mailbox"; from: string }
  | {
      kind: "smtp";
      url: string;
      from: string;
      /** Rate limit in mails per second; undefined: none. */
      perSecond: number | undefined;
      /** Limit of concurrent connections. */
      connections: number;
      /**
       * The domain that receives bounces, and the secret of the service that forwards them; undefined: bounces go to the sender.
       */
      bounces: { domain: string; secret: string } | undefined;
    };

const secrets = ["SMTP_URL", "BOUNCE_SECRET"] as const;

/** A bare address, or a display name (quoted if it holds a comma) and the address in angle brackets. */
const MAILBOX = /^(?:[^<>@,;\s]+@[^<>@,;\s]+|(?:"[^"<>\r\n]*"|[^"<>@,;\r\n]*)\s*<[^<>@,;\s]+@[^<>@,;\s]+>)$/;
const HOST_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i;
const DEFAULT_FROM = "Breachbell <breachbell@localhost.localdomain>";

function isServer(text: string): boolean {
  const parsed = URL.parse(text);
  if (parsed === null || !["smtp:", "smtps:"].includes(parsed.protocol) || parsed.hostname === "") return false;
  // Anything else would be the rest of a password whose "/", "?" or "#" seemed to end the address.
  return /^\/?$/.test(parsed.pathname) && parsed.hash === "" && !parsed.search.includes("@") && isDecodable(parsed);
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Nobody sees from a misspelt parameter that it has no effect. */
function hasKnownParameters(text: string): boolean {
  const parameters = [...(URL.parse(text)?.searchParams ?? [])];
  return parameters.every(([name, value]) =>
    name === "tls" ? value === "off" : name === "servername" && HOST_NAME.test(value),
  );
}

const entries = {
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isServer,
        'must be an address such as smtp://user:password@mail.example:587; percent-encode the user name and password: %25 for "%", %2F for "/", %3F for "?", %23 for "#", %40 for "@"',
      ),
      v.check(hasKnownParameters, "must have no other parameters than tls=off and servername=mail.example"),
    ),
  ),
  SMTP_PER_SECOND: v.optional(count),
  SMTP_CONNECTIONS: v.optional(v.pipe(count, v.maxValue(50, "must be at most 50"))),
  MAIL_FROM: v.optional(matching(MAILBOX, 'must look like "Breachbell <alerts@breachbell.example>"')),
  BOUNCE_DOMAIN: v.optional(
    matching(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, "must be a domain such as mail.breachbell.example"),
  ),
  BOUNCE_SECRET: v.optional(matching(/^[\x21-\x7e]{32,}$/, "must be at least 32 characters without spaces")),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  SMTP_URL: {
    says: "the mail server: `smtp://user:password@host:587` or `smtps://…:465`; STARTTLS is required, except on this machine or with `?tls=off`; `?servername=mail.example` is the name in its certificate, if that is not the host",
    standard: "local mailbox",
    required: "in production",
  },
  SMTP_PER_SECOND: {
    says: "the maximum number of mails in any second, over all processes, if the mail server has a limit",
  },
  SMTP_CONNECTIONS: {
    says: "the maximum number of concurrent connections per process to the mail server; up to as many again open in place of those that have waited for an answer for 30 seconds",
    standard: "`5`",
  },
  MAIL_FROM: {
    says: "the sender of mails, such as `Breachbell <alerts@breachbell.example>`",
    required: "with `SMTP_URL`",
  },
  BOUNCE_DOMAIN: {
    says: "mails get the envelope sender `bounce+…@BOUNCE_DOMAIN`; mail received there has to be posted unchanged to `/api/inbound/bounce`",
    required: "with `BOUNCE_SECRET`",
  },
  BOUNCE_SECRET: {
    says: "the bearer token for posting bounces (at least 32 characters)",
    required: "with `BOUNCE_DOMAIN`",
  },
};
type Settings = SettingsOf<typeof entries>;

/** Conflicting settings. */
function problems({ SMTP_URL, MAIL_FROM, BOUNCE_DOMAIN, BOUNCE_SECRET }: Settings): string[] {
  const list: string[] = [];
  if (SMTP_URL && !MAIL_FROM)
    list.push('MAIL_FROM is missing: set the sender, such as "Breachbell <alerts@breachbell.example>"');
  if (BOUNCE_DOMAIN && !BOUNCE_SECRET)
    list.push("BOUNCE_SECRET is missing: what hands on the mails that come to BOUNCE_DOMAIN proves itself by it");
  if (BOUNCE_SECRET && !BOUNCE_DOMAIN)
    list.push("BOUNCE_DOMAIN is missing: the domain to whose bounce+… addresses mails come back");
  return list;
}

export function mailOf({
  SMTP_URL: url,
  SMTP_PER_SECOND,
  SMTP_CONNECTIONS = 5,
  MAIL_FROM,
  BOUNCE_DOMAIN,
  BOUNCE_SECRET,
}: Settings): MailConfig {
  const from = MAIL_FROM ?? DEFAULT_FROM;
  if (url === undefined) return { kind: "mailbox", from };
  const bounces = BOUNCE_DOMAIN && BOUNCE_SECRET ? { domain: BOUNCE_DOMAIN, secret: BOUNCE_SECRET } : undefined;
  return { kind: "smtp", url, from, perSecond: SMTP_PER_SECOND, connections: SMTP_CONNECTIONS, bounces };
}

export const mailSettings = { entries, words, secrets, problems };
