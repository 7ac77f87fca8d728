import { describe, expect, test } from "bun:test";
import { loadConfig, SECRETS, settingsSchema } from "../src/config/config.ts";
import { SETTING_WORDS, settingsTable } from "./support/settings_table.ts";

const SERVER = "postgres://breachbell@127.0.0.1/breachbell";
const LONG = "x".repeat(32);

const IN_PRODUCTION = ["PUBLIC_URL", "DATABASE_URL", "SMTP_URL", "BREACH_SOURCE", "BILLING", "SUPPORT_EMAIL"];

/** For each conditionally required setting, a configuration that requires it. */
const DEMANDED_BY: Record<string, Record<string, string>> = {
  ...Object.fromEntries(IN_PRODUCTION.map((name) => [name, { NODE_ENV: "production" }])),
  APP_SECRET: { NODE_ENV: "production", DATABASE_URL: SERVER },
  MAIL_FROM: { SMTP_URL: "smtp://127.0.0.1" },
  BOUNCE_DOMAIN: { BOUNCE_SECRET: LONG },
  BOUNCE_SECRET: { BOUNCE_DOMAIN: "mail.breachbell.example" },
  HIBP_API_KEY: { BREACH_SOURCE: "hibp" },
  NTFY_BASE_URL: { NTFY_TOKEN: "tk_1" },
  STRIPE_SECRET_KEY: { BILLING: "stripe" },
  STRIPE_WEBHOOK_SECRET: { BILLING: "stripe" },
  EVENTS_SPLUNK_URL: { EVENTS_SPLUNK_TOKEN: "s" },
  EVENTS_SPLUNK_TOKEN: { EVENTS_SPLUNK_URL: "https://splunk.lan:8088" },
  OIDC_ISSUER: { OIDC_ONLY: "on" },
  OIDC_CLIENT_ID: { OIDC_ISSUER: "https://id.breachbell.example" },
  OIDC_CLIENT_SECRET: { OIDC_ISSUER: "https://id.breachbell.example" },
  GOOGLE_CLIENT_ID: { GOOGLE_CLIENT_SECRET: "s" },
  GOOGLE_CLIENT_SECRET: { GOOGLE_CLIENT_ID: "i" },
  GITHUB_CLIENT_ID: { GITHUB_CLIENT_SECRET: "s" },
  GITHUB_CLIENT_SECRET: { GITHUB_CLIENT_ID: "i" },
  MICROSOFT_CLIENT_ID: { MICROSOFT_CLIENT_SECRET: "s" },
  MICROSOFT_CLIENT_SECRET: { MICROSOFT_CLIENT_ID: "i" },
  METRICS_TOKEN: { METRICS_PORT: "9000", METRICS_HOST: "0.0.0.0" },
  OTEL_EXPORTER_OTLP_ENDPOINT: { OTEL_EXPORTER_OTLP_HEADERS: "a=b" },
};

/** The settings that a start with this configuration reports as missing. */
function demanded(environment: Record<string, string>): string[] {
  const loaded = loadConfig(environment, () => "");
  return loaded.ok ? [] : loaded.problems.flatMap((problem) => /^(\w+) is missing/.exec(problem)?.[1] ?? []);
}

describe("the table of settings", () => {
  test("has each setting once, with a star at each that can be read from a file", () => {
    const listed = [...settingsTable().matchAll(/^\| `([A-Z0-9_]+)`( \*)? \|/gm)];
    // The first provider's describe those of the second and third.
    const own = (name: string) => !/^OIDC_[23]_/.test(name);
    expect(listed.map(([, name = ""]) => name)).toEqual(Object.keys(settingsSchema.entries).filter(own));
    const starred = listed.filter(([, , star]) => star !== undefined).map(([, name = ""]) => name);
    expect(starred.toSorted()).toEqual(SECRETS.filter(own).toSorted());
  });

  test("has no cell that would break a row", () => {
    const rows = settingsTable().split("\n");
    expect(rows.filter((row) => row.split("|").length !== 6)).toEqual([]);
  });

  test("states which settings each one requires, as the start does", () => {
    const required = Object.entries(SETTING_WORDS).filter(([, words]) => words.required !== undefined);
    expect(required.map(([name]) => name).toSorted()).toEqual(Object.keys(DEMANDED_BY).toSorted());
    for (const [name, environment] of Object.entries(DEMANDED_BY)) {
      expect([name, demanded(environment).includes(name)]).toEqual([name, true]);
      expect([name, demanded({}).includes(name)]).toEqual([name, false]);
    }
    // Nothing else is required in production.
    const production = required.filter(([, words]) => words.required?.startsWith("in production"));
    expect(demanded({ NODE_ENV: "production", DATABASE_URL: SERVER }).toSorted()).toEqual(
      production
        .map(([name]) => name)
        .filter((name) => name !== "DATABASE_URL")
        .toSorted(),
    );
  });
});
