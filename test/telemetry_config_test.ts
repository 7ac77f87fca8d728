import { describe, expect, test } from "bun:test";
import { loadConfig } from "../src/config/config.ts";
import type { TelemetryConfig } from "../src/config/telemetry_config.ts";

const TOKEN = "a token that is long enough for figures";

function loaded(environment: Record<string, string>) {
  return loadConfig(environment, () => "");
}

function telemetryOf(environment: Record<string, string>): TelemetryConfig {
  const found = loaded(environment);
  if (!found.ok) throw new Error(found.problems.join("\n"));
  return found.config.telemetry;
}

function problemsOf(environment: Record<string, string>): string[] {
  const found = loaded(environment);
  return found.ok ? [] : found.problems;
}

describe("monitoring of the process", () => {
  test("is disabled by default, except for the watchdog", () => {
    expect(telemetryOf({})).toEqual({
      metrics: undefined,
      traces: undefined,
      watchdogSeconds: 60,
      stopGraceSeconds: 0,
    });
  });

  test("exports metrics on a separate port, or on the website's with a token", () => {
    const host = "127.0.0.1";
    expect(telemetryOf({ METRICS_PORT: "9464" }).metrics).toEqual({ host, port: 9464, token: undefined });
    expect(telemetryOf({ METRICS_TOKEN: TOKEN }).metrics).toEqual({ host, port: undefined, token: TOKEN });
    expect(problemsOf({ METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0" })).toEqual([
      "METRICS_TOKEN is missing: METRICS_HOST lets others than this machine ask",
    ]);
    expect(problemsOf({ METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0", METRICS_TOKEN: TOKEN })).toEqual([]);
  });

  test("exports traces as OpenTelemetry's own variables say", () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };
    const more = { OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b, x=1=2", OTEL_TRACES_SAMPLER_ARG: "0.1" };
    expect(telemetryOf({ ...endpoint, ...more, OTEL_SERVICE_NAME: "bell" }).traces).toEqual({
      url: "http://127.0.0.1:4318/v1/traces",
      serviceName: "bell",
      share: 0.1,
      headers: { "api-key": "a b", x: "1=2" },
    });
    expect(telemetryOf(endpoint).traces).toMatchObject({ headers: {}, serviceName: "breachbell", share: 1 });
    expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: "a=b" })).toEqual([
      "OTEL_EXPORTER_OTLP_ENDPOINT is missing: OTEL_EXPORTER_OTLP_HEADERS are sent there",
    ]);
  });

  test.each([
    ["METRICS_PORT", "ninety"],
    ["METRICS_TOKEN", "short"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no value"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%E0%A4%A"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["WATCHDOG_SECONDS", "5"],
    ["WATCHDOG_SECONDS", "soon"],
    ["STOP_GRACE_SECONDS", "60"],
  ])("%s=%s is rejected", (name, value) => {
    const found = problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", [name]: value });
    expect(found.map((problem) => problem.split(" ")[0])).toEqual([name]);
    expect(found.join("\n")).not.toContain(value === "5" ? "\0" : ` ${value} `);
  });

  test("gives load balancers three seconds to notice in production", () => {
    expect(telemetryOf({ STOP_GRACE_SECONDS: "7", WATCHDOG_SECONDS: "0" })).toMatchObject({
      stopGraceSeconds: 7,
      watchdogSeconds: 0,
    });
    const production = {
      NODE_ENV: "production",
      PUBLIC_URL: "https://breachbell.example",
      DATABASE_URL: "embedded",
      SMTP_URL: "smtps://mail.example:465",
      MAIL_FROM: "a@breachbell.example",
      BREACH_SOURCE: "xposedornot",
      BILLING: "off",
      SUPPORT_EMAIL: "help@breachbell.example",
    };
    expect(telemetryOf(production).stopGraceSeconds).toBe(3);
  });
});
