import { expect, test } from "bun:test";
import { describeDefaults, loadConfig, SECRETS } from "../src/config/config.ts";
import { installationOf } from "../src/config/installation.ts";

const PRODUCTION = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://breachbell.example",
  DATABASE_URL: "postgres://breachbell:db-secret-words@db.example/breachbell",
  APP_SECRET: "app-secret-words-0123456789-abcdefghijkl",
  SMTP_URL: "smtp://user:smtp-secret-words@mail.example:587",
  MAIL_FROM: "Breachbell <alerts@breachbell.example>",
  BOUNCE_DOMAIN: "mail.breachbell.example",
  BOUNCE_SECRET: "bounce-secret-words-0123456789-abcdefghij",
  BREACH_SOURCE: "hibp,dataset",
  HIBP_API_KEY: "0123456789abcdef0123456789abcdef",
  BREACH_PUSH_TOKEN: "push-secret-words-0123456789-abcdefghijkl",
  TELEGRAM_BOT_TOKEN: "123456:telegram-secret-words-0123456789-ab",
  BILLING: "stripe",
  STRIPE_SECRET_KEY: "sk_live_stripe-secret-words",
  STRIPE_WEBHOOK_SECRET: "whsec_stripe-secret-words",
  SUPPORT_EMAIL: "help@breachbell.example",
  REGISTRATION: "invite",
  BACKUP_AT: "04:05",
  SMTP_PER_SECOND: "9",
};

function statesOf(environment: Record<string, string>) {
  const loaded = loadConfig(environment, () => "");
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const parts = Object.values(installationOf(loaded.config)).flat();
  return { parts, config: loaded.config, states: Object.fromEntries(parts.map(({ name, state }) => [name, state])) };
}

test("An installation in production names what is used, without any part of a secret", () => {
  const { parts, states } = statesOf(PRODUCTION);
  expect(states).toMatchObject({
    ...{ email: "on", bounces: "on", telegram: "on", pushover: "off", ntfy: "off", webhook: "off", webpush: "on" },
    ...{ hibp: "on", dataset: "on", xposedornot: "off", push: "on", plans: "on", backups: "on", mail_pace: "on" },
  });
  const find = (wanted: string) => parts.find(({ name }) => name === wanted);
  expect(find("backups")).toMatchObject({ value: "04:05 UTC" });
  expect(find("registration")).toMatchObject({ mode: "invite" });
  expect(find("database")).toMatchObject({ mode: "server", settings: ["DATABASE_URL"] });
  const text = JSON.stringify(parts);
  for (const name of SECRETS) {
    const secret = (PRODUCTION as Record<string, string>)[name];
    if (secret !== undefined) expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/secret-words|db\.example|0123456789/);
});

test("XposedOrNot has addresses without a key, and whole domains with one", () => {
  const modeOf = (environment: Record<string, string>) =>
    statesOf(environment).parts.find(({ name }) => name === "xposedornot");
  expect(modeOf({})).toMatchObject({ state: "off", mode: null, settings: ["BREACH_SOURCE", "XPOSEDORNOT_API_KEY"] });
  expect(modeOf({ BREACH_SOURCE: "xposedornot" })).toMatchObject({ state: "on", mode: "addresses" });
  const key = "xposedornot-secret-words";
  const keyed = modeOf({ BREACH_SOURCE: "xposedornot", XPOSEDORNOT_API_KEY: key });
  expect(keyed).toMatchObject({ state: "on", mode: "domains" });
  expect(JSON.stringify(keyed)).not.toContain(key);
});

test("One without settings has its stand-ins", () => {
  const { states } = statesOf({});
  expect(states).toMatchObject({
    ...{ email: "stand_in", telegram: "stand_in", pushover: "stand_in", bundled: "stand_in", plans: "stand_in" },
    ...{ hibp: "off", passwords: "off", logos: "off", providers: "off", bounces: "off", backups: "on", records: "on" },
  });
});

test("What the start says of embedded defaults names a setting of each stand-in, and of nothing that is set up", () => {
  for (const environment of [{}, PRODUCTION, { SMTP_URL: PRODUCTION.SMTP_URL, MAIL_FROM: PRODUCTION.MAIL_FROM }]) {
    const { parts, config } = statesOf(environment);
    const said = describeDefaults(config).join("\n");
    const isSaid = ({ settings }: { settings: string[] }) => settings.some((setting) => said.includes(setting));
    const compared = parts.filter(({ name }) => ["email", "telegram", "pushover", "bundled", "plans"].includes(name));
    for (const part of compared) expect([part.name, isSaid(part)]).toEqual([part.name, part.state === "stand_in"]);
    expect(parts.filter(({ state }) => state === "stand_in").every((part) => compared.includes(part))).toBe(true);
  }
});
