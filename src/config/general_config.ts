import * as v from "valibot";
import { readConnectionString } from "../database/connection_string.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import { REGISTRATION_MODES } from "../shared/registration.ts";
import { isOrigin, outsidePage, port } from "./config_values.ts";
import { LOG_LEVELS } from "./log_level.ts";
import { proxies } from "./proxy_config.ts";
import type { WordsOf } from "./setting_words.ts";

function checkDatabase({ dataset, addIssue }: Parameters<Parameters<typeof v.rawCheck<string>>[0]>[0]): void {
  if (!dataset.typed || dataset.value === "embedded") return;
  const read = readConnectionString(dataset.value);
  if (!read.ok) addIssue({ message: read.problem });
}

/** Email domains in their ASCII form. */
const domains = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").filter((name) => name.trim() !== "")),
  v.transform((names) => names.map((name) => normaliseEmail(`name@${name.trim()}`)?.slice("name@".length))),
  v.array(v.string("must be a list of domains such as example.org")),
);

const KEPT_DAYS = 'must be a number of days, at least 90, or "off"';

/** Settings of every installation: URL, database, operator. */
const entries = {
  NODE_ENV: v.optional(v.string()),
  HOST: v.optional(v.string(), "127.0.0.1"),
  PORT: v.optional(port, "3000"),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isOrigin, "must be an http or https address without a path, such as https://breachbell.example"),
    ),
  ),
  INSECURE_HTTP: v.optional(v.picklist(["allow"], 'must be "allow" or absent')),
  TRUST_PROXY: v.optional(proxies, ""),
  DATA_DIR: v.optional(v.string(), "data"),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.rawCheck(checkDatabase))),
  APP_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, "must have at least 32 characters"))),
  SESSION_PROFILE: v.optional(v.picklist(["default", "strict"], 'must be "default" or "strict"'), "default"),
  REGISTRATION: v.optional(v.picklist(REGISTRATION_MODES, `must be one of ${REGISTRATION_MODES.join(", ")}`), "open"),
  REGISTRATION_DOMAINS: v.optional(domains, ""),
  OPERATOR_NAME: v.optional(v.string(), "Breachbell"),
  OPERATOR_CANTON: v.optional(v.string(), "Zürich"),
  SUPPORT_EMAIL: v.optional(v.pipe(v.string(), v.email("must be an email address")), "support@localhost.localdomain"),
  STATUS_PAGE_URL: v.optional(outsidePage),
  MESSAGES_KEPT_DAYS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:off|\d{1,5})$/, KEPT_DAYS),
      v.transform((text) => (text === "off" ? undefined : Number(text))),
      v.optional(v.pipe(v.number(), v.minValue(90, KEPT_DAYS))),
    ),
    "400",
  ),
  LOG_LEVEL: v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`), "info"),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  NODE_ENV: { says: "`production` requires every embedded default to be replaced or chosen explicitly" },
  HOST: { says: "the address to listen on" },
  PORT: { says: "the port of the website" },
  PUBLIC_URL: {
    says: "the address people open; links are built from it alone; must be https, except on this machine",
    standard: "`http://localhost:PORT`",
    required: "in production",
  },
  INSECURE_HTTP: { says: "`allow` permits a plain http `PUBLIC_URL` that is not on this machine" },
  TRUST_PROXY: { says: "trusted proxies, whose `X-Forwarded-For` is used: IP addresses, CIDR ranges, `loopback`" },
  DATA_DIR: { says: "the folder for the embedded database, the generated secret and the local mailbox" },
  DATABASE_URL: { says: "`postgres://…`, or `embedded`", standard: "`embedded`", required: "in production" },
  APP_SECRET: {
    says: "the secret from which encryption and signing keys are derived; at least 32 characters, and the same for every process on one database",
    standard: "generated in `DATA_DIR`",
    required: "in production, with a database server",
  },
  SESSION_PROFILE: {
    says: "how long a session lasts: `default` is a day without use and a week at most, `strict` an hour and a day (NIST AAL2)",
  },
  REGISTRATION: {
    says: "who can create an account: `open`, everyone; `invite`, people with a link from `breachbell users invite`; `closed`, the same, but the pages do not mention links",
  },
  REGISTRATION_DOMAINS: {
    says: "with `REGISTRATION=open`, the only email domains that may create an account, comma-separated; an account at one of them cannot change to an address elsewhere; links from `breachbell users invite` work for any address",
    standard: "all",
  },
  OPERATOR_NAME: { says: "the operator’s name in the terms of service" },
  OPERATOR_CANTON: { says: "the operator’s canton, as the place of jurisdiction" },
  SUPPORT_EMAIL: {
    says: "the address at which people reach you; also published in `/.well-known/security.txt` for vulnerability reports",
    required: "in production",
  },
  STATUS_PAGE_URL: {
    says: "an https address that *Service Status* in the sidebar links to instead",
    standard: "the built-in page `/service-status`",
  },
  MESSAGES_KEPT_DAYS: {
    says: "after how many days the records of sent and failed messages are removed, at least 90; `off` keeps them as long as the account; the last message to each contact stays",
  },
  LOG_LEVEL: {
    says: "`debug`, `info`, `warn` or `error`; the log is JSON lines, each with a request id or a job name; requests are logged at `info`, those for files, probes and background polling at `debug`",
  },
};

const secrets = ["DATABASE_URL", "APP_SECRET"] as const;

export const generalSettings = { entries, words, secrets };
