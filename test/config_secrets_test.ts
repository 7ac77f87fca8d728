import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Config, describeDefaults, loadConfig } from "../src/config/config.ts";

type Environment = Record<string, string | undefined>;

const SECRETS = {
  DATABASE_URL: "postgres://breachbell:database-pw@db.example/breachbell",
  SMTP_URL: "smtps://alerts:mail-pw@mail.example:465",
  HIBP_API_KEY: "0123456789abcdef0123456789abcdef",
  APP_SECRET: "correct-horse-battery-staple-4821",
};
const NAMES = Object.keys(SECRETS) as (keyof typeof SECRETS)[];
const MAIL_FROM = "Breachbell <alerts@breachbell.example>";
const ALL = { ...SECRETS, MAIL_FROM };

function readNothing(path: string): string {
  throw new Error(`ENOENT: ${path}`);
}

function configOf(environment: Environment, readFile = readNothing): Config {
  const loaded = loadConfig(environment, readFile);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config;
}

function problemsOf(environment: Environment, readFile = readNothing): string[] {
  const loaded = loadConfig(environment, readFile);
  return loaded.ok ? [] : loaded.problems;
}

describe("loadConfig() with NAME_FILE", () => {
  const files: Record<string, string> = {
    "/run/secrets/app": `${SECRETS.APP_SECRET}\n`,
    "/run/secrets/empty": "\n",
  };
  const readFile = (path: string) => files[path] ?? readNothing(path);

  test("reads a secret from its file, without the trailing newline", () => {
    const { secret } = configOf({ APP_SECRET_FILE: "/run/secrets/app" }, readFile);
    expect(secret).toEqual({ kind: "given", value: SECRETS.APP_SECRET });
  });

  test.each(NAMES)("supports %s_FILE", (name) => {
    const environment = { ...ALL, [name]: undefined, [`${name}_FILE`]: "/run/secrets/one" };
    expect(configOf(environment, () => SECRETS[name])).toEqual(configOf(ALL));
  });

  test("rejects the variable together with its file", () => {
    const problems = problemsOf({ ...ALL, APP_SECRET_FILE: "/run/secrets/app" }, readFile);
    expect(problems).toEqual(["APP_SECRET and APP_SECRET_FILE are both set: keep one of them"]);
  });

  test("reports an unreadable file, once", () => {
    const environment = { BREACH_SOURCE: "hibp", HIBP_API_KEY_FILE: "/run/secrets/none" };
    expect(problemsOf(environment)).toEqual(["HIBP_API_KEY_FILE must be the path of a file that can be read"]);
  });

  test("rejects an empty file instead of using a default", () => {
    const problems = problemsOf({ APP_SECRET_FILE: "/run/secrets/empty" }, readFile);
    expect(problems).toEqual(["APP_SECRET must have at least 32 characters"]);
  });

  test("reads no file for a setting that is not secret", () => {
    expect(configOf({ PORT_FILE: "/run/secrets/port" }).port).toBe(3000);
  });
});

describe("no secret is printed", () => {
  function expectNoSecret(lines: string[]) {
    for (const secret of ["database-pw", "mail-pw", SECRETS.HIBP_API_KEY, SECRETS.APP_SECRET])
      expect(lines.join("\n")).not.toContain(secret);
  }

  const WRONG: Environment[] = [
    { DATABASE_URL: "mysql://breachbell:database-pw@db.example/b" },
    { DATABASE_URL: "postgres://breachbell:database-pw@" },
    { SMTP_URL: "http://alerts:mail-pw@mail.example" },
    { SMTP_URL: "alerts:mail-pw@mail.example" },
    { HIBP_API_KEY: `${SECRETS.HIBP_API_KEY}0` },
    { HIBP_API_KEY: `key=${SECRETS.HIBP_API_KEY}` },
    { PUBLIC_URL: "https://admin:mail-pw@breachbell.example" },
    { DATABASE_URL_FILE: SECRETS.DATABASE_URL },
    { SMTP_URL_FILE: SECRETS.SMTP_URL },
    { HIBP_API_KEY_FILE: SECRETS.HIBP_API_KEY },
    { APP_SECRET_FILE: SECRETS.APP_SECRET },
    { ...ALL, APP_SECRET_FILE: SECRETS.APP_SECRET, SMTP_URL_FILE: SECRETS.SMTP_URL },
    { NODE_ENV: "production", ...ALL, MAIL_FROM: undefined },
  ];
  test.each(WRONG)("by a problem of %j", (environment) => {
    const problems = problemsOf(environment);
    expect(problems).not.toEqual([]);
    expectNoSecret(problems);
  });

  test("by any problem, with any values", () => {
    const names = [...NAMES, "PUBLIC_URL", "MAIL_FROM", "HIBP_BASE_URL", "BILLING", "PORT", "TRUST_PROXY"];
    const value = fc.string({ minLength: 0, maxLength: 20 }).map((text) => `${text}S3CR3T!${text}`);
    const environment = fc.dictionary(fc.constantFrom(...names, ...names.map((name) => `${name}_FILE`)), value);
    fc.assert(
      fc.property(environment, (hostile) => {
        expect(problemsOf(hostile).join("\n")).not.toContain("S3CR3T!");
      }),
    );
  });

  test("by describeDefaults(), which lists every default and how to replace it", () => {
    for (const name of NAMES) expectNoSecret(describeDefaults(configOf({ ...ALL, [name]: undefined })));
    const lines = describeDefaults(configOf({})).join("\n");
    for (const name of [...NAMES, "BILLING=off"]) expect(lines).toContain(name);
  });
});
