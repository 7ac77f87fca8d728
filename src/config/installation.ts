import { CHATS } from "../shared/chats.ts";
import type { Config, SettingName } from "./config.ts";

export type InstallationConfig = Pick<
  Config,
  | "publicUrl"
  | "registration"
  | "providers"
  | "providersOnly"
  | "sessionProfile"
  | "mail"
  | "channels"
  | "sources"
  | "pushTokens"
  | "pwnedPasswordsUrl"
  | "logosUrl"
  | "servicePages"
  | "billing"
  | "domainLimits"
  | "database"
  | "backup"
  | "messagesKeptDays"
>;

/** `stand_in`: a sandbox, example data or the local inbox takes its place. */
type Use = "on" | "off" | "stand_in";

/** A part of the installation, as it is configured, and the settings that change it. Never contains a secret. */
export type Part<Name extends string> = {
  name: Name;
  state: Use;
  /** A choice that has a text of its own. */
  mode: "open" | "invite" | "closed" | "default" | "strict" | "embedded" | "server" | "addresses" | "domains" | null;
  /** As it is in the setting. */
  value: string | null;
  settings: SettingName[];
};

const when = (isOn: boolean): Use => (isOn ? "on" : "off");

function part<const Name extends string>(
  name: Name,
  state: Use,
  settings: SettingName[],
  { mode = null, value = null }: { mode?: Part<Name>["mode"]; value?: string | null } = {},
): Part<Name> {
  return { name, state, mode, value, settings };
}

const PROVIDER_SETTINGS: SettingName[] = [
  ...(["OIDC_ISSUER", "GOOGLE_CLIENT_ID", "GITHUB_CLIENT_ID", "MICROSOFT_CLIENT_ID"] as const),
];

function accessParts({ publicUrl, registration, providers, providersOnly, sessionProfile }: InstallationConfig) {
  return [
    part("address", "on", ["PUBLIC_URL"], { value: publicUrl }),
    part("registration", "on", ["REGISTRATION", "REGISTRATION_DOMAINS"], {
      mode: registration.mode,
      value: registration.domains.join(", ") || null,
    }),
    part("providers", when(providers.length > 0), PROVIDER_SETTINGS, {
      value: providers.map(({ label }) => label).join(", ") || null,
    }),
    part("passwords_for_login", when(!providersOnly), ["OIDC_ONLY"]),
    part("sessions", "on", ["SESSION_PROFILE"], { mode: sessionProfile }),
  ];
}

function channelParts({ mail, channels }: InstallationConfig) {
  const { telegram, pushover, ntfy, embedded, webhooks, webPush, chats } = channels;
  const orInbox = (channel: "telegram" | "pushover", isGiven: boolean): Use =>
    embedded.includes(channel) ? "stand_in" : when(isGiven);
  const { bounces = undefined } = mail.kind === "smtp" ? mail : {};
  return [
    part("email", mail.kind === "smtp" ? "on" : "stand_in", ["SMTP_URL", "MAIL_FROM"], { value: mail.from }),
    part("telegram", orInbox("telegram", telegram !== undefined), ["TELEGRAM_BOT_TOKEN"]),
    part("pushover", orInbox("pushover", pushover !== undefined), ["PUSHOVER_APP_TOKEN"]),
    part("ntfy", when(ntfy !== undefined), ["NTFY_BASE_URL", "NTFY_TOKEN"], { value: ntfy?.baseUrl ?? null }),
    part("webhook", when(webhooks), ["WEBHOOKS"]),
    part("webpush", when(webPush), ["WEB_PUSH"]),
    part("chats", when(chats.length > 0), ["CHATS"], {
      value: chats.map((chat) => CHATS[chat].name).join(", ") || null,
    }),
    part("bounces", when(bounces !== undefined), ["BOUNCE_DOMAIN", "BOUNCE_SECRET"], {
      value: bounces?.domain ?? null,
    }),
  ];
}

/** Addresses need no key; domains do. */
function xposedOrNotPart(sources: InstallationConfig["sources"]) {
  const source = sources.find(({ kind }) => kind === "xposedornot");
  const hasKey = source !== undefined && "apiKey" in source && source.apiKey !== undefined;
  return part("xposedornot", when(source !== undefined), ["BREACH_SOURCE", "XPOSEDORNOT_API_KEY"], {
    mode: source === undefined ? null : hasKey ? "domains" : "addresses",
  });
}

function sourceParts({ sources, pushTokens, pwnedPasswordsUrl, logosUrl, servicePages }: InstallationConfig) {
  const has = (kind: string) => sources.some((source) => source.kind === kind);
  return [
    part("hibp", when(has("hibp")), ["HIBP_API_KEY", "BREACH_SOURCE"]),
    xposedOrNotPart(sources),
    part("dataset", when(has("dataset")), ["BREACH_SOURCE"]),
    ...(has("bundled") ? [part("bundled", "stand_in", ["BREACH_SOURCE", "HIBP_API_KEY"])] : []),
    part("push", when(pushTokens.length > 0), ["BREACH_PUSH_TOKEN"]),
    part("passwords", when(pwnedPasswordsUrl !== undefined), ["PWNED_PASSWORDS_BASE_URL"]),
    part("logos", when(logosUrl !== undefined), ["LOGOS_BASE_URL"]),
    part("service_pages", when(servicePages), ["SERVICE_PAGES"]),
  ];
}

function dataParts({ database, backup }: InstallationConfig) {
  const { atMinute } = backup;
  const digits = (count: number) => String(count).padStart(2, "0");
  return [
    part("database", "on", ["DATABASE_URL"], { mode: database.kind }),
    part("backups", when(atMinute !== undefined), ["BACKUP_AT", "BACKUP_KEEP", "BACKUP_DIR", "BACKUP_RECIPIENT"], {
      value: atMinute === undefined ? null : `${digits(Math.floor(atMinute / 60))}:${digits(atMinute % 60)} UTC`,
    }),
  ];
}

function limitParts({ mail, messagesKeptDays }: InstallationConfig) {
  const pace = mail.kind === "smtp" ? mail.perSecond : undefined;
  return [
    part("mail_pace", when(pace !== undefined), ["SMTP_PER_SECOND"], { value: pace?.toString() ?? null }),
    part("records", when(messagesKeptDays !== undefined), ["MESSAGES_KEPT_DAYS"], {
      value: messagesKeptDays?.toString() ?? null,
    }),
  ];
}

function planParts({ billing }: InstallationConfig) {
  const state = ({ off: "off", sandbox: "stand_in", stripe: "on" } as const)[billing];
  return [part("plans", state, ["BILLING", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"])];
}

/** What this installation uses, by section. */
export function installationOf(config: InstallationConfig) {
  return {
    access: accessParts(config),
    channels: channelParts(config),
    sources: sourceParts(config),
    plans: planParts(config),
    data: dataParts(config),
    limits: limitParts(config),
  };
}

export type Installation = ReturnType<typeof installationOf>;
