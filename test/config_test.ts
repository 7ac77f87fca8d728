import { describe, expect, test } from "bun:test";
import { isAbsolute, join } from "node:path";
import { type Config, describeDefaults } from "../src/config/config.ts";
import { CHAT_NAMES } from "../src/shared/chats.ts";
import { configOf, type Environment, namesOf, PRODUCTION, problemsOf } from "./support/settings.ts";

describe("loadConfig() without settings", () => {
  test("chooses the embedded defaults", () => {
    const { dataDir, ...config } = configOf({});
    expect(isAbsolute(dataDir)).toBe(true);
    expect(config).toEqual({
      production: false,
      host: "127.0.0.1",
      port: 3000,
      publicUrl: "http://localhost:3000",
      trustProxy: [],
      database: { kind: "embedded" },
      backup: { directory: join(dataDir, "backups"), keep: { days: 7, weeks: 4 }, atMinute: 195, recipient: undefined },
      mail: { kind: "mailbox", from: "Breachbell <breachbell@localhost.localdomain>" },
      sources: [{ kind: "bundled" }],
      pushTokens: [],
      logosUrl: undefined,
      servicePages: false,
      aliasServices: { simplelogin: "https://app.simplelogin.io", addy: "https://app.addy.io" },
      pwnedPasswordsUrl: undefined,
      registration: { mode: "open", domains: [] },
      channels: {
        embedded: ["telegram", "pushover"],
        webhooks: false,
        webPush: true,
        chats: CHAT_NAMES,
        allowPrivate: false,
      },
      outboundProxy: undefined,
      billing: "sandbox",
      domainLimits: { domains: 1, addresses: 50 },
      stripe: undefined,
      sessionProfile: "default",
      providers: [],
      providersOnly: false,
      secret: { kind: "file" },
      operator: { name: "Breachbell", canton: "Zürich", supportEmail: "support@localhost.localdomain" },
      statusPageUrl: undefined,
      messagesKeptDays: 400,
      logLevel: "info",
      telemetry: { metrics: undefined, traces: undefined, watchdogSeconds: 60, stopGraceSeconds: 0 },
      events: { syslog: undefined, splunk: undefined },
    });
  });

  test("treats empty and blank variables as unset", () => {
    const names = [...Object.keys(PRODUCTION), "HOST", "PORT", "TRUST_PROXY", "DATA_DIR", "LOG_LEVEL", "SMTP_URL_FILE"];
    expect(configOf(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(configOf({}));
    expect(configOf(Object.fromEntries(names.map((name) => [name, " \n"])))).toEqual(configOf({}));
  });
});

describe("loadConfig() of the outbound proxy", () => {
  test("knows the settings in lower case too, as other programs do", () => {
    const expected = { https: "http://proxy.lan:3128", except: ["ntfy.lan", ".internal"] };
    const [HTTPS_PROXY, NO_PROXY] = ["http://proxy.lan:3128", "ntfy.lan, .internal"];
    expect(configOf({ HTTPS_PROXY, NO_PROXY }).outboundProxy).toEqual(expected);
    expect(configOf({ https_proxy: HTTPS_PROXY, no_proxy: NO_PROXY }).outboundProxy).toEqual(expected);
    expect(problemsOf({ HTTPS_PROXY: "proxy.lan:3128" }).join()).toStartWith("HTTPS_PROXY must be the http or https");
  });
});

describe("loadConfig() of SESSION_PROFILE", () => {
  test("sets how long sessions last", () => {
    expect(configOf({ SESSION_PROFILE: "strict" }).sessionProfile).toBe("strict");
    expect(configOf({ SESSION_PROFILE: "default" }).sessionProfile).toBe("default");
    expect(configOf(PRODUCTION).sessionProfile).toBe("default");
    expect(problemsOf({ SESSION_PROFILE: "lax" })).toEqual(['SESSION_PROFILE must be "default" or "strict"']);
  });
});

describe("loadConfig() in production", () => {
  test("accepts a complete configuration", () => {
    const config = configOf(PRODUCTION);
    expect(config.production).toBe(true);
    expect(config.database).toEqual({ kind: "server", url: PRODUCTION.DATABASE_URL });
    expect(config.mail).toMatchObject({ kind: "smtp", url: PRODUCTION.SMTP_URL, from: PRODUCTION.MAIL_FROM });
    expect(config.sources[0]).toEqual({
      kind: "hibp",
      baseUrl: "https://haveibeenpwned.com/api/v3",
      apiKey: PRODUCTION.HIBP_API_KEY,
      pollEveryMs: 600_000,
    });
    expect(config.secret).toEqual({ kind: "given", value: PRODUCTION.APP_SECRET });
    expect(describeDefaults(config)).toEqual([]);
  });

  test("rejects every default and lists everything missing", () => {
    const names = ["PUBLIC_URL", "DATABASE_URL", "SMTP_URL", "BREACH_SOURCE", "BILLING", "SUPPORT_EMAIL", "APP_SECRET"];
    expect(namesOf(problemsOf({ NODE_ENV: "production" }))).toEqual(names);
  });

  const needed = Object.keys(PRODUCTION).filter((name) => name !== "NODE_ENV");
  test.each(needed)("does not start without %s", (name) => {
    expect(namesOf(problemsOf({ ...PRODUCTION, [name]: undefined }))).toEqual([name]);
  });

  test("accepts the embedded database by name, and then needs no secret", () => {
    const config = configOf({ ...PRODUCTION, DATABASE_URL: "embedded", APP_SECRET: undefined });
    expect(config.database).toEqual({ kind: "embedded" });
    expect(config.secret).toEqual({ kind: "file" });
  });

  test("accepts the bundled source by name", () => {
    const config = configOf({ ...PRODUCTION, BREACH_SOURCE: "bundled", HIBP_API_KEY: undefined });
    expect(config.sources).toEqual([{ kind: "bundled" }]);
  });
});

describe("loadConfig() with several problems", () => {
  test("reports invalid and missing variables together, each of them once", () => {
    const problems = problemsOf({
      NODE_ENV: "production",
      PORT: "http",
      PUBLIC_URL: "breachbell.example",
      MAIL_FROM: "nobody",
      SMTP_URL: "smtp://mail.example",
      HIBP_API_KEY: "short",
      BREACH_SOURCE: "hibp",
      APP_SECRET: "short",
      LOG_LEVEL: "loud",
    });
    expect(namesOf(problems).sort()).toEqual([
      ...["APP_SECRET", "BILLING", "DATABASE_URL", "HIBP_API_KEY", "LOG_LEVEL", "MAIL_FROM", "PORT", "PUBLIC_URL"],
      "SUPPORT_EMAIL",
    ]);
  });
});

describe("loadConfig() with incompatible sources", () => {
  test.each([
    [{ BREACH_SOURCE: "hibp,bundled", HIBP_API_KEY: PRODUCTION.HIBP_API_KEY }, "BREACH_SOURCE"],
    [{ BREACH_SOURCE: "dataset,hibp" }, "HIBP_API_KEY"],
    [{ BREACH_SOURCE: "xposedornot", BREACH_PUSH_TOKEN: "a".repeat(32) }, "BREACH_PUSH_TOKEN"],
  ])("%j names %s", (environment: Environment, name) => {
    expect(namesOf(problemsOf(environment))).toEqual([name]);
  });
});

describe("loadConfig() rejects", () => {
  const hostile: Record<string, string[]> = {
    PORT: ["-1", "65536", "3000.5", "0x10", "1e3", "3000; rm -rf /"],
    PUBLIC_URL: [
      ...["breachbell.example", "javascript:alert(1)", "ftp://breachbell.example", "http://breachbell.example"],
      ...["https://breachbell.example/app", "https://breachbell.example/?a=1", "https://a:pw@breachbell.example"],
      ...["http://127.breachbell.example", "http://localhost.breachbell.example"],
    ],
    INSECURE_HTTP: ["yes"],
    MESSAGES_KEPT_DAYS: ["89", "0", "-90", "90d", "on"],
    TRUST_PROXY: ["10.0.0.0/33", "2001:db8::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.1, proxy.example", "*", "true"],
    DATABASE_URL: ["mysql://db.example/breachbell", "db.example", "postgres:breachbell", "Embedded"],
    SMTP_URL: ["https://mail.example", "mail.example:587", "smtp:"],
    MAIL_FROM: [
      ...["alerts", "Breachbell <alerts@breachbell.example", "alerts@breachbell.example>"],
      ...["alerts@breachbell.example, mallory@example.org", "alerts@breachbell.example, M <mallory@example.org>"],
      ...["Bell <a@breachbell.example>\r\nBcc: mallory@example.org", "Bell\r\nBcc: <mallory@example.org>"],
    ],
    BREACH_SOURCE: ["HIBP", "hibp,", "hibp;dataset", "dataset,dataset", "push"],
    XPOSEDORNOT_BASE_URL: ["file:///etc/passwd", "api.xposedornot.com"],
    XPOSEDORNOT_API_KEY: ["a key", "k".repeat(257), "schlüssel"],
    HIBP_BASE_URL: ["file:///etc/passwd"],
    LOGOS_BASE_URL: ["file:///etc/passwd", "logos.example", "on"],
    HIBP_API_KEY: ["0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef0"],
    HIBP_POLL_SECONDS: ["0", "-60", "often"],
    BREACH_PUSH_TOKEN: ["short", `${"a".repeat(32)},short`, `${"a".repeat(20)} ${"a".repeat(20)}`],
    BILLING: ["Stripe", "on"],
    APP_SECRET: ["a".repeat(31)],
    SUPPORT_EMAIL: ["help"],
    LOG_LEVEL: ["verbose", "__proto__"],
  };
  const cases = Object.entries(hostile).flatMap(([name, values]) => values.map((value) => [name, value] as const));
  test.each(cases)("%s=%j", (name, value) => {
    expect(namesOf(problemsOf({ [name]: value }))).toEqual([name]);
  });
});

describe("loadConfig() accepts", () => {
  const cases: [environment: Environment, expected: Partial<Config>][] = [
    [{ PORT: " 8080\n" }, { port: 8080, publicUrl: "http://localhost:8080" }],
    [{ PUBLIC_URL: "https://Breachbell.Example/" }, { publicUrl: "https://breachbell.example" }],
    [{ PUBLIC_URL: "http://127.0.0.1:8080" }, { publicUrl: "http://127.0.0.1:8080" }],
    [{ PUBLIC_URL: "http://[::1]:8080" }, { publicUrl: "http://[::1]:8080" }],
    [{ PUBLIC_URL: "http://nas.lan", INSECURE_HTTP: "allow" }, { publicUrl: "http://nas.lan" }],
    [{ TRUST_PROXY: "loopback, 10.0.0.0/8,2001:db8::1," }, { trustProxy: ["loopback", "10.0.0.0/8", "2001:db8::1"] }],
    [{ DATA_DIR: "/var/lib/breachbell" }, { dataDir: "/var/lib/breachbell" }],
    [{ HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
    [{ MESSAGES_KEPT_DAYS: "90" }, { messagesKeptDays: 90 }],
    [{ MESSAGES_KEPT_DAYS: "off" }, { messagesKeptDays: undefined }],
    [{ DATABASE_URL: "postgresql://db/b" }, { database: { kind: "server", url: "postgresql://db/b" } }],
    [
      { DATABASE_URL: "postgresql://db/b", DATA_DIR: "/var/lib/breachbell" },
      {
        backup: {
          directory: "/var/lib/breachbell/backups",
          keep: { days: 7, weeks: 4 },
          atMinute: 195,
          recipient: undefined,
        },
      },
    ],
    [
      { BACKUP_DIR: "/mnt/safe", BACKUP_KEEP: "30, 0", BACKUP_AT: "00:05" },
      { backup: { directory: "/mnt/safe", keep: { days: 30, weeks: 0 }, atMinute: 5, recipient: undefined } },
    ],
    [{ BACKUP_AT: "off" }, { backup: expect.objectContaining({ atMinute: undefined }) }],
    [{ MAIL_FROM: "a@b.example" }, { mail: { kind: "mailbox", from: "a@b.example" } }],
    [{ MAIL_FROM: '"Bell, Inc." <a@b.example>' }, { mail: { kind: "mailbox", from: '"Bell, Inc." <a@b.example>' } }],
    [
      { BILLING: "off", LOG_LEVEL: "debug" },
      { billing: "off", logLevel: "debug" },
    ],
    [
      { HIBP_API_KEY: PRODUCTION.HIBP_API_KEY, HIBP_BASE_URL: "http://127.0.0.1:9/api", HIBP_POLL_SECONDS: "60" },
      {
        sources: [
          {
            kind: "hibp",
            baseUrl: "http://127.0.0.1:9/api",
            apiKey: PRODUCTION.HIBP_API_KEY,
            pollEveryMs: 60_000,
          },
        ],
      },
    ],
    [
      { HIBP_API_KEY: PRODUCTION.HIBP_API_KEY, BREACH_SOURCE: "hibp, xposedornot,dataset" },
      {
        sources: [
          {
            kind: "hibp",
            baseUrl: "https://haveibeenpwned.com/api/v3",
            pollEveryMs: 600_000,
            apiKey: PRODUCTION.HIBP_API_KEY,
          },
          { kind: "xposedornot", baseUrl: "https://api.xposedornot.com", apiKey: undefined },
          { kind: "dataset" },
        ],
      },
    ],
    [
      { BREACH_SOURCE: "xposedornot", XPOSEDORNOT_BASE_URL: "http://127.0.0.1:9", XPOSEDORNOT_API_KEY: "a-key" },
      { sources: [{ kind: "xposedornot", baseUrl: "http://127.0.0.1:9", apiKey: "a-key" }], pushTokens: [] },
    ],
    [{ HIBP_API_KEY: PRODUCTION.HIBP_API_KEY }, { logosUrl: "https://logos.haveibeenpwned.com" }],
    [{ HIBP_API_KEY: PRODUCTION.HIBP_API_KEY, LOGOS_BASE_URL: "off" }, { logosUrl: undefined }],
    [{ BREACH_SOURCE: "xposedornot,dataset" }, { logosUrl: undefined }],
    [{ LOGOS_BASE_URL: "http://127.0.0.1:9" }, { logosUrl: "http://127.0.0.1:9" }],
    [{ HIBP_API_KEY: PRODUCTION.HIBP_API_KEY }, { servicePages: true }],
    [{ HIBP_API_KEY: PRODUCTION.HIBP_API_KEY, SERVICE_PAGES: "off" }, { servicePages: false }],
    [{ BREACH_SOURCE: "xposedornot,dataset" }, { servicePages: true }],
    [{ SERVICE_PAGES: "on" }, { servicePages: true }],
    [{}, { pwnedPasswordsUrl: undefined }],
    [
      { REGISTRATION: "invite", REGISTRATION_DOMAINS: "Example.org, münchen.example ," },
      { registration: { mode: "invite", domains: ["example.org", "xn--mnchen-3ya.example"] } },
    ],
    [
      { PWNED_PASSWORDS_BASE_URL: "https://api.pwnedpasswords.com" },
      { pwnedPasswordsUrl: "https://api.pwnedpasswords.com" },
    ],
    [{ BREACH_PUSH_TOKEN: `${"a".repeat(32)}, ${"b".repeat(32)}` }, { pushTokens: ["a".repeat(32), "b".repeat(32)] }],
    [{ HIBP_API_KEY: PRODUCTION.HIBP_API_KEY, BREACH_SOURCE: "bundled" }, { sources: [{ kind: "bundled" }] }],
  ];
  test.each(cases)("%j", (environment, expected) => {
    expect(configOf(environment)).toMatchObject(expected);
  });
});
