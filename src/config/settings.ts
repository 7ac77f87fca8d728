import * as v from "valibot";
import { type Config, SECRETS, settingsSchema } from "./config.ts";

/** One setting as it is in effect. Never contains a secret's value. */
export type Setting = {
  name: string;
  /** Null where the setting is unset and has no default. */
  value: string | null;
  from: "default" | "environment" | "file";
  isSecret: boolean;
};

type Environment = Record<string, string | undefined>;

const HIDDEN = "(set)";
const isSecret = (name: string) => SECRETS.some((secret) => secret === name);

/** Removes the user name and password from a URL. */
function withoutPassword(value: string): string {
  const url = URL.parse(value);
  if (url === null || (url.password === "" && url.username === "")) return value;
  return Object.assign(url, { username: "", password: "" }).href;
}

function defaultsOf(config: Config | undefined): Environment {
  const plain = v.getDefaults(settingsSchema) as Record<string, unknown>;
  const texts = Object.entries(plain).map(([name, value]) => [name, value === undefined ? undefined : String(value)]);
  return {
    ...Object.fromEntries(texts),
    ...(config && {
      PUBLIC_URL: config.publicUrl,
      DATA_DIR: config.dataDir,
      BILLING: config.billing,
      MAIL_FROM: config.mail.from,
      LOGOS_BASE_URL: config.logosUrl ?? "off",
      SERVICE_PAGES: config.servicePages ? "on" : "off",
      BREACH_SOURCE: config.sources.map(({ kind }) => kind).join(","),
      DATABASE_URL: config.database.kind === "embedded" ? "embedded" : undefined,
      APP_SECRET: config.secret.kind === "file" ? "(generated, in DATA_DIR)" : undefined,
      SMTP_URL: config.mail.kind === "mailbox" ? "(local mailbox)" : undefined,
    }),
  };
}

/** Every setting, by name, with its effective value and origin. `config` is the resulting configuration, if it is valid. */
export function settingsOf(environment: Environment, config: Config | undefined): Setting[] {
  const defaults = defaultsOf(config);
  const given = (name: string) => environment[name]?.trim() || undefined;
  return Object.keys(settingsSchema.entries)
    .toSorted()
    .map((name) => {
      const secret = isSecret(name);
      const byFile = secret && given(`${name}_FILE`) !== undefined;
      const value = given(name);
      if (byFile) return { name, value: HIDDEN, from: "file", isSecret: secret };
      if (value === undefined) return { name, value: defaults[name] || null, from: "default", isSecret: secret };
      // That the embedded database is used is no secret.
      const isShown = !secret || value === "embedded";
      return { name, value: isShown ? withoutPassword(value) : HIDDEN, from: "environment", isSecret: secret };
    });
}
