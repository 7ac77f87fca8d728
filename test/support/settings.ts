import { type Config, loadConfig } from "../../src/config/config.ts";

export type Environment = Record<string, string | undefined>;

/** All settings required in production. */
export const PRODUCTION = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://breachbell.example",
  DATABASE_URL: "postgres://breachbell:database-pw@db.example/breachbell",
  SMTP_URL: "smtps://alerts:mail-pw@mail.example:465",
  MAIL_FROM: "Breachbell <alerts@breachbell.example>",
  BREACH_SOURCE: "hibp",
  HIBP_API_KEY: "0123456789abcdef0123456789abcdef",
  BILLING: "off",
  APP_SECRET: "correct-horse-battery-staple-4821",
  SUPPORT_EMAIL: "help@breachbell.example",
};

function readNothing(path: string): string {
  throw new Error(`ENOENT: ${path}`);
}

export function configOf(environment: Environment): Config {
  const loaded = loadConfig(environment, readNothing);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config;
}

export function problemsOf(environment: Environment): string[] {
  const loaded = loadConfig(environment, readNothing);
  return loaded.ok ? [] : loaded.problems;
}

/** The setting names at the start of each problem. */
export function namesOf(problems: string[]): string[] {
  return problems.map((problem) => problem.split(" ")[0] ?? "");
}
