import { join, resolve } from "node:path";
import * as v from "valibot";
import type { AliasService } from "../shared/aliases.ts";
import { isLoopbackHost } from "../shared/loopback.ts";
import type { OutboundProxy } from "../shared/outbound_proxy.ts";
import type { RegistrationPolicy } from "../shared/registration.ts";
import { type BackupConfig, backupOf, backupSettings } from "./backup_config.ts";
import { type BillingConfig, billingOf, billingSettings } from "./billing_config.ts";
import { type ChannelConfig, channelSettings, channelsOf } from "./channel_config.ts";
import { isSecure } from "./config_values.ts";
import { type EventConfig, eventSettings, eventsOf } from "./event_config.ts";
import { generalSettings } from "./general_config.ts";
import type { LogLevel } from "./log_level.ts";
import { type MailConfig, mailOf, mailSettings } from "./mail_config.ts";
import { oidcProvidersOf, oidcSettings } from "./oidc_config.ts";
import { outboundProxyOf, outboundSettings, withLowerCase } from "./outbound_config.ts";
import { type ProviderConfig, providerSettings, providersOf } from "./provider_config.ts";
import type { SettingWords } from "./setting_words.ts";
import { logosUrlOf, type SourceConfig, servicePagesOf, sourceSettings, sourcesOf } from "./source_config.ts";
import { type TelemetryConfig, telemetryOf, telemetrySettings } from "./telemetry_config.ts";

/** The complete, validated configuration. Only `main.ts` reads the environment. */
export type Config = BillingConfig & {
  production: boolean;
  host: string;
  port: number;
  /** The base of all links; no trailing slash. */
  publicUrl: string;
  trustProxy: string[];
  dataDir: string;
  database: { kind: "embedded" } | { kind: "server"; url: string };
  backup: BackupConfig;
  mail: MailConfig;
  /** The breach sources; at least one. */
  sources: SourceConfig[];
  /** Tokens with which a source may push breaches; empty: pushing is off. */
  pushTokens: string[];
  /** Where logos of breached services are fetched; undefined: no logos. */
  logosUrl: string | undefined;
  /** Where lists of aliases are imported from, unless people name a service of their own. */
  aliasServices: Record<AliasService, string>;
  /** Whether breached services are asked for their page to change passwords. */
  servicePages: boolean;
  /** Where new passwords are looked up; undefined: nowhere. */
  pwnedPasswordsUrl: string | undefined;
  outboundProxy: OutboundProxy | undefined;
  /** Channels besides mail. */
  channels: ChannelConfig;
  /** Identity providers for signing in. */
  providers: ProviderConfig[];
  /** They are the only way to log in: no passwords. */
  providersOnly: boolean;
  /** Session lifetime: a day idle and a week in all ("default"), or an hour and a day ("strict"). */
  sessionProfile: "default" | "strict";
  registration: RegistrationPolicy;
  /** Encryption and HMAC keys are derived from it; a generated one is kept in a file of the data directory. */
  secret: { kind: "given"; value: string } | { kind: "file" };
  operator: { name: string; canton: string; supportEmail: string };
  /** An external status page that replaces our own. */
  statusPageUrl: string | undefined;
  /** For how many days the record of a message is kept; undefined: as long as the account. */
  messagesKeptDays: number | undefined;
  logLevel: LogLevel;
  telemetry: TelemetryConfig;
  events: EventConfig;
};

type Environment = Record<string, string | undefined>;
export type Loaded = { ok: true; config: Config } | { ok: false; problems: string[] };

export const settingsSchema = v.object({
  ...generalSettings.entries,
  ...backupSettings.entries,
  ...mailSettings.entries,
  ...sourceSettings.entries,
  ...channelSettings.entries,
  ...outboundSettings.entries,
  ...billingSettings.entries,
  ...providerSettings.entries,
  ...oidcSettings.entries,
  ...telemetrySettings.entries,
  ...eventSettings.entries,
});
type Settings = v.InferOutput<typeof settingsSchema>;
export type SettingName = keyof Settings;

type Topic = {
  words: Partial<Record<SettingName, SettingWords>>;
  secrets?: readonly SettingName[];
  /** Conflicting or missing settings. */
  problems?(settings: Settings): string[];
};
export const TOPICS: Topic[] = [
  ...[generalSettings, backupSettings, mailSettings, sourceSettings, channelSettings, outboundSettings],
  ...[billingSettings, providerSettings, oidcSettings, telemetrySettings, eventSettings],
];

/** Settings whose values are never shown; each may be read from a file. */
export const SECRETS = TOPICS.flatMap(({ secrets = [] }) => secrets);

/**
 * Reads the environment and reports all problems together. Each secret may be given as `NAME_FILE`, a path that `readFile`
 * reads. An empty variable counts as absent.
 */
export function loadConfig(environment: Environment, readFile: (path: string) => string): Loaded {
  const problems: string[] = [];
  const wrong = new Set<string>();
  const given: Environment = {};
  for (const [name, value] of Object.entries(withLowerCase(environment))) if (value?.trim()) given[name] = value.trim();
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
    try {
      given[name] = readFile(path).trim();
    } catch {
      // The path is not quoted: someone may have put the secret itself into NAME_FILE.
      problems.push(`${name}_FILE must be the path of a file that can be read`);
      wrong.add(name);
    }
  }
  for (const issue of v.safeParse(settingsSchema, given).issues ?? []) {
    const name = String(issue.path?.[0]?.key);
    problems.push(`${name} ${issue.message}`);
    wrong.add(name);
  }
  // Invalid settings are left out of the cross-checks, so that missing ones are reported too, and are not reported as missing.
  const settings = v.parse(
    settingsSchema,
    Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))),
  );
  const others = [
    ...conflicts(settings),
    ...TOPICS.flatMap(({ problems: found }) => found?.(settings) ?? []),
    ...(settings.NODE_ENV === "production" ? missingInProduction(settings) : []),
  ];
  problems.push(...others.filter((problem) => !wrong.has(problem.split(" ")[0] ?? "")));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: configOf(settings) };
}

function conflicts({ PUBLIC_URL, INSECURE_HTTP }: Settings): string[] {
  return !PUBLIC_URL || isSecure(PUBLIC_URL) || INSECURE_HTTP
    ? []
    : ["PUBLIC_URL must be https: plain http is only for this machine (or set INSECURE_HTTP=allow)"];
}

function missingInProduction(settings: Settings): string[] {
  const wanted: [keyof Settings, string][] = [
    ["PUBLIC_URL", "the address people open, such as https://breachbell.example"],
    ["DATABASE_URL", 'a postgres:// address, or "embedded" for the database in DATA_DIR'],
    ["SMTP_URL", "the mail server, such as smtp://user:password@mail.example:587"],
    ["BREACH_SOURCE", '"hibp" with HIBP_API_KEY, "xposedornot" ("bundled" knows example addresses only)'],
    ["BILLING", '"stripe" with its keys, "off" where nobody pays, or "sandbox" where no money moves'],
    ["SUPPORT_EMAIL", "where people reach you"],
  ];
  const missing = wanted.filter(
    ([name]) => settings[name] === undefined || (name === "SUPPORT_EMAIL" && isDefaultSupport(settings)),
  );
  const problems = missing.map(([name, hint]) => `${name} is missing: ${hint}`);
  if (settings.DATABASE_URL !== "embedded" && settings.APP_SECRET === undefined) {
    problems.push("APP_SECRET is missing: at least 32 random characters, the same for every process on one database");
  }
  return problems;
}

function isDefaultSupport({ SUPPORT_EMAIL }: Settings): boolean {
  return SUPPORT_EMAIL.endsWith("@localhost.localdomain");
}

function configOf(settings: Settings): Config {
  const { DATA_DIR, DATABASE_URL = "embedded", APP_SECRET } = settings;
  const publicUrl = new URL(settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).origin;
  const dataDir = resolve(import.meta.dirname, "../..", DATA_DIR);
  return {
    production: settings.NODE_ENV === "production",
    host: settings.HOST,
    port: settings.PORT,
    publicUrl,
    trustProxy: settings.TRUST_PROXY,
    dataDir,
    database: DATABASE_URL === "embedded" ? { kind: "embedded" } : { kind: "server", url: DATABASE_URL },
    backup: backupOf(settings, { dataDir }),
    mail: mailOf(settings),
    sources: sourcesOf(settings),
    pushTokens: settings.BREACH_PUSH_TOKEN ?? [],
    logosUrl: logosUrlOf(settings),
    aliasServices: { simplelogin: settings.SIMPLELOGIN_BASE_URL, addy: settings.ADDY_BASE_URL },
    servicePages: servicePagesOf(settings),
    pwnedPasswordsUrl: settings.PWNED_PASSWORDS_BASE_URL,
    ...billingOf(settings),
    sessionProfile: settings.SESSION_PROFILE,
    registration: { mode: settings.REGISTRATION, domains: settings.REGISTRATION_DOMAINS },
    channels: channelsOf(settings, settings.NODE_ENV !== "production" && isLoopbackHost(new URL(publicUrl).hostname)),
    outboundProxy: outboundProxyOf(settings),
    providers: [...oidcProvidersOf(settings), ...providersOf(settings)],
    providersOnly: settings.OIDC_ONLY === "on",
    secret: APP_SECRET === undefined ? { kind: "file" } : { kind: "given", value: APP_SECRET },
    operator: { name: settings.OPERATOR_NAME, canton: settings.OPERATOR_CANTON, supportEmail: settings.SUPPORT_EMAIL },
    statusPageUrl: settings.STATUS_PAGE_URL,
    messagesKeptDays: settings.MESSAGES_KEPT_DAYS,
    logLevel: settings.LOG_LEVEL,
    telemetry: telemetryOf(settings, settings.NODE_ENV === "production"),
    events: eventsOf(settings),
  };
}

/** For each embedded default in use: what it is, and which setting replaces it. */
export function describeDefaults(config: Config): string[] {
  const lines: string[] = [];
  if (config.database.kind === "embedded")
    lines.push(`database  embedded Postgres in ${config.dataDir} · a server: DATABASE_URL`);
  if (config.mail.kind === "mailbox")
    lines.push(`mail      kept in the local inbox ${config.publicUrl}/mailbox · a mail server: SMTP_URL, MAIL_FROM`);
  const tokens = { telegram: "TELEGRAM_BOT_TOKEN", pushover: "PUSHOVER_APP_TOKEN" };
  for (const channel of config.channels.embedded)
    lines.push(
      `${channel.padEnd(10)}kept in the local inbox ${config.publicUrl}/mailbox/${channel} · the real one: ${tokens[channel]}`,
    );
  if (config.sources.some(({ kind }) => kind === "bundled"))
    lines.push("breaches  bundled example data (real catalogue, example addresses) · Have I Been Pwned: HIBP_API_KEY");
  if (config.billing === "sandbox")
    lines.push("billing   plans and payment pages by which no money moves · BILLING=stripe; nobody pays: BILLING=off");
  if (config.secret.kind === "file")
    lines.push(`secret    generated, kept in ${join(config.dataDir, "secret.key")} · your own: APP_SECRET`);
  return lines;
}
