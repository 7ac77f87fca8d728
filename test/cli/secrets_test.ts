import { describe, expect, test } from "bun:test";
import { runCli } from "../../src/cli/run.ts";
import { SECRETS } from "../../src/config/config.ts";

const FORMS: Partial<Record<(typeof SECRETS)[number], string>> = {
  DATABASE_URL: "postgres://user:canary@db.example:5432/breachbell",
  SMTP_URL: "smtp://user:canary@mail.example:587",
  HIBP_API_KEY: "ca0a".repeat(8),
  XPOSEDORNOT_API_KEY: "canary-xposedornot",
  BREACH_PUSH_TOKEN: "canary-push-token-0123456789abcdefgh",
  APP_SECRET: "canary-app-secret-0123456789abcdefgh",
  BOUNCE_SECRET: "canary-bounce-secret-0123456789abcdef",
  STRIPE_SECRET_KEY: "sk_live_canary",
  STRIPE_WEBHOOK_SECRET: "whsec_canary",
  GOOGLE_CLIENT_SECRET: "canary-google",
  GITHUB_CLIENT_SECRET: "canary-github",
  MICROSOFT_CLIENT_SECRET: "canary-microsoft",
  OIDC_CLIENT_SECRET: "canary-oidc",
  OIDC_2_CLIENT_SECRET: "canary-oidc-2",
  OIDC_3_CLIENT_SECRET: "canary-oidc-3",
  TELEGRAM_BOT_TOKEN: `123456:${"canary".repeat(6)}`,
  TELEGRAM_WEBHOOK_SECRET: "canary-telegram-0123456789abcdefgh",
  PUSHOVER_APP_TOKEN: "canary".repeat(5),
  NTFY_TOKEN: "canary-ntfy",
  METRICS_TOKEN: "canary-metrics-token-0123456789abcdefgh",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=canary",
  EVENTS_SPLUNK_TOKEN: "canary-splunk",
};
const OTHERS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://traces.example",
  METRICS_PORT: "9464",
  PUBLIC_URL: "https://b.example",
  MAIL_FROM: "a@b.example",
  BOUNCE_DOMAIN: "bounce.b.example",
  BILLING: "stripe",
  GOOGLE_CLIENT_ID: "g",
  GITHUB_CLIENT_ID: "h",
  MICROSOFT_CLIENT_ID: "m",
  OIDC_ISSUER: "https://one.example",
  OIDC_CLIENT_ID: "o",
  OIDC_2_ISSUER: "https://two.example",
  OIDC_2_CLIENT_ID: "o",
  OIDC_3_ISSUER: "https://three.example",
  OIDC_3_CLIENT_ID: "o",
  EVENTS_SPLUNK_URL: "https://splunk.example:8088",
  NTFY_BASE_URL: "https://ntfy.example",
  BREACH_SOURCE: "hibp,xposedornot",
};

async function run(environment: Record<string, string>, ...typed: string[]) {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const code = await runCli({
    typed,
    environment,
    directory: "/",
    ask: undefined,
    signal: new AbortController().signal,
    readFile: () => "canary-of-a-file-that-is-long-enough-0123",
    terminal: { out: write, error: write, columns: undefined, colours: false, isLive: false },
  });
  return { code, text: written.join("") };
}

const CANARY = /canary|ca0aca0a/;

describe("config", () => {
  test("shows every secret as set but not its value, as table and as JSON, valid or invalid", async () => {
    const given = Object.fromEntries(
      SECRETS.map((name) => [name, FORMS[name] ?? "canary-of-a-new-setting-0123456789abcdef"]),
    );
    expect(Object.keys(FORMS)).toEqual(expect.arrayContaining([...SECRETS]));
    for (const words of [["config"], ["config", "--json"], ["config", "--set"]])
      expect(await run({ ...given, ...OTHERS }, ...words)).toEqual({
        code: 0,
        text: expect.not.stringMatching(CANARY),
      });
    const wrong = await run({ ...given, ...OTHERS, PORT: "canary-port", HIBP_API_KEY: "canary" }, "config");
    expect(wrong.code).toBe(1);
    expect(wrong.text.replaceAll("canary-port", "")).not.toMatch(CANARY);
    expect(wrong.text).toContain("HIBP_API_KEY must be 32 hexadecimal characters");
  });

  test("shows the origin of each value", async () => {
    const { text } = await run({ APP_SECRET_FILE: "/run/secret", LOG_LEVEL: "warn", SMTP_URL: "" }, "config", "--json");
    const { data } = JSON.parse(text) as { data: { settings: { name: string; value: string | null; from: string }[] } };
    const of = (wanted: string) => data.settings.find(({ name }) => name === wanted);
    expect(of("APP_SECRET")).toMatchObject({ value: "(set)", from: "file" });
    expect(of("LOG_LEVEL")).toMatchObject({ value: "warn", from: "environment" });
    expect(of("SMTP_URL")).toMatchObject({ value: "(local mailbox)", from: "default" });
    expect(of("PUBLIC_URL")).toMatchObject({ value: "http://localhost:3000", from: "default" });
    expect(of("HIBP_API_KEY")).toMatchObject({ value: null, from: "default" });
  });
});

test("irreversible commands require a confirmation, and are refused without a terminal", async () => {
  const refused = await run({ DATA_DIR: "/nonexistent/breachbell" }, "users", "delete", "ada@example.com");
  expect([refused.code, refused.text]).toEqual([
    2,
    expect.stringContaining("Nobody can be asked here: say it with --yes"),
  ]);
  const help = await run({}, "help", "users", "lock");
  expect([help.code, help.text]).toEqual([0, expect.stringContaining("breachbell users lock ada@example.com")]);
  expect((await run({}, "help", "nonsense")).code).toBe(2);
  expect((await run({}, "version")).code).toBe(0);
});

test("an invalid configuration is reported completely; an unreachable database with exit code 3 and without its password", async () => {
  const wrong = await run({ PORT: "x", LOG_LEVEL: "loud" }, "users");
  expect([wrong.code, wrong.text]).toEqual([1, expect.stringMatching(/PORT must be[\s\S]*LOG_LEVEL must be/)]);
  const away = { DATABASE_URL: "postgres://u:canary@127.0.0.1:1/x", APP_SECRET: FORMS.APP_SECRET ?? "" };
  const { code, text } = await run(away, "migrate", "status", "--json");
  expect([code, text]).toEqual([3, expect.not.stringMatching(CANARY)]);
  expect(JSON.parse(text)).toMatchObject({ ok: false, error: { code: "DATABASE_UNREACHABLE" } });
}, 30_000);
