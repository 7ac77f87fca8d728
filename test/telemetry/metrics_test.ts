import { describe, expect, test } from "bun:test";
import { Hono } from "hono";
import { databaseUnavailable } from "../../src/database/errors.ts";
import { unwatched } from "../../src/telemetry/health.ts";
import { createMeter } from "../../src/telemetry/metrics.ts";
import { metricsRoute } from "../../src/telemetry/metrics_route.ts";
import { createTelemetry, followed, silent } from "../../src/telemetry/telemetry.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";
import { FIGURES, NOW, readings } from "./readings.ts";

const TOKEN = "a token that is long enough for figures";
describe("createMeter()", () => {
  test("exports the database's figures, and queries them once in five seconds", async () => {
    const meter = createMeter();
    let asked = 0;
    meter.tell(
      async () => {
        asked += 1;
        return FIGURES;
      },
      () => NOW,
    );
    const told = await readings(meter);
    await readings(meter);
    expect(asked).toBe(1);
    const wanted = {
      breachbell_database_up: 1,
      breachbell_database_bytes: 1024,
      breachbell_backup_scheduled: 1,
      breachbell_backup_failed: 1,
      breachbell_backup_last_timestamp_seconds: 1772421300,
      'breachbell_deliveries{state="due"}': 7,
      'breachbell_deliveries{state="retrying"}': 3,
      'breachbell_deliveries{state="in_doubt"}': 4,
      'breachbell_deliveries{state="dead"}': 2,
      'breachbell_deliveries{state="held"}': 1,
      breachbell_deliveries_oldest_due_seconds: 5,
      breachbell_events_waiting: 5,
      breachbell_events_oldest_seconds: 0,
      'breachbell_event_sink_waiting{sink="syslog"}': 4,
      'breachbell_event_sink_lag_seconds{sink="syslog"}': 12,
      'breachbell_event_sink_failing{sink="syslog"}': 1,
      'breachbell_event_sink_waiting{sink="splunk"}': 0,
      'breachbell_event_sink_lag_seconds{sink="splunk"}': 0,
      'breachbell_event_sink_failing{sink="splunk"}': 0,
      'breachbell_channel_state{channel="email",state="resting"}': 1,
      'breachbell_channel_trouble{channel="email",cause="EAUTH"}': 1,
      'breachbell_source_due{source="hibp"}': 3,
      'breachbell_source_oldest_due_seconds{source="hibp"}': 90,
      'breachbell_source_retrying{source="hibp"}': 2,
      'breachbell_source_troubled{source="hibp"}': 1,
      'breachbell_source_synced_timestamp_seconds{source="hibp"}': Date.parse("2026-03-02T07:59:00Z") / 1000,
      'breachbell_source_budget_wait_seconds{source="hibp"}': 6,
    };
    expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, told.get(name)]))).toEqual(wanted);
  });

  test("reports that the database does not respond, instead of outdated values", async () => {
    const meter = createMeter();
    meter.tell(
      () => Promise.reject(new Error("gone")),
      () => NOW,
    );
    const told = await readings(meter);
    expect(told.get("breachbell_database_up")).toBe(0);
    expect(told.has('breachbell_deliveries{state="due"}')).toBe(false);
    expect(told.get("breachbell_events_waiting")).toBeNaN();
  });

  test("is OpenMetrics, with its required end marker", async () => {
    const meter = createMeter();
    expect(meter.contentType).toStartWith("application/openmetrics-text");
    expect(await meter.text()).toEndWith("# EOF\n");
  });
});

describe("createTelemetry()", () => {
  test("counts requests, jobs, transactions and calls under names from the code", async () => {
    const meter = createMeter();
    const telemetry = createTelemetry({ meter });
    const asked = { method: "GET", requestId: "r", parent: undefined };
    await telemetry.request(asked, async () => ({ route: "/api/alerts/:id", status: 404 }));
    await telemetry.job("scan", async () => 1);
    await telemetry.job("scan", () => Promise.reject(new Error("no"))).catch(() => {});
    await telemetry.transaction(async () => 1);
    await telemetry.transaction(() => Promise.reject(databaseUnavailable("gone"))).catch(() => {});
    const sender = followed(telemetry, "channel email", {
      send: async () => ({ kind: "retry" as const }),
      channel: "email" as const,
    });
    expect([await sender.send(), sender.channel]).toEqual([{ kind: "retry" }, "email"]);
    const told = await readings(meter);
    const wanted = {
      'breachbell_http_request_duration_seconds_count{method="GET",route="/api/alerts/:id",status="404"}': 1,
      breachbell_http_requests_in_flight: 0,
      'breachbell_job_duration_seconds_count{job="scan"}': 2,
      'breachbell_job_failures_total{job="scan"}': 1,
      'breachbell_database_transaction_seconds_count{outcome="committed"}': 1,
      'breachbell_database_transaction_seconds_count{outcome="unavailable"}': 1,
      breachbell_database_transactions_open: 0,
      'breachbell_call_duration_seconds_count{peer="channel email",operation="send",outcome="retry"}': 1,
    };
    expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, told.get(name)]))).toEqual(wanted);
    expect(told.has('breachbell_call_last_success_timestamp_seconds{peer="channel email",operation="send"}')).toBe(
      false,
    );
  });

  test("has no effect without a meter and traces", () => {
    const gateway = { send: async () => 1 };
    expect(createTelemetry({})).toBe(silent);
    expect(followed(silent, "x", gateway)).toBe(gateway);
  });
});

describe("/metrics", () => {
  test("on the website's port requires the token", async () => {
    const meter = createMeter();
    const { app } = composed({
      ...adaptersOn(memoryGround()),
      health: { ...unwatched, metrics: { ...meter, token: TOKEN } },
    });
    const ask = async (headers: Record<string, string>) => (await app.request("/metrics", { headers })).status;
    expect(await ask({ Authorization: `Bearer ${TOKEN}` })).toBe(200);
    for (const headers of [{}, { Authorization: "Bearer wrong" }, { Authorization: `Bearer ${TOKEN}x` }])
      expect(await ask(headers)).toBe(404);
    const without = composed(adaptersOn(memoryGround())).app;
    expect((await without.request("/metrics", { headers: { Authorization: `Bearer ${TOKEN}` } })).status).toBe(404);
  });

  test("without the token is not the website's page", async () => {
    const app = new Hono().route("/", metricsRoute(createMeter(), TOKEN)).get("*", (c) => c.text("the website"));
    expect((await app.request("/metrics")).status).toBe(404);
    expect((await app.request("/metrics", { headers: { Authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });

  test("on a separate port requires the token if one is set", async () => {
    const meter = createMeter();
    expect((await metricsRoute(meter, undefined).request("/metrics")).status).toBe(200);
    expect((await metricsRoute(meter, TOKEN).request("/metrics")).status).toBe(404);
  });

  test("is in the classic text format unless OpenMetrics is asked for", async () => {
    const app = metricsRoute(createMeter(), undefined);
    const ask = async (headers: Record<string, string>) => {
      const answer = await app.request("/metrics", { headers });
      return { type: answer.headers.get("Content-Type"), text: await answer.text() };
    };
    const counter = "breachbell_log_lines_dropped";
    for (const headers of [{}, { Accept: "*/*" }, { Accept: "text/plain" }]) {
      const { type, text } = await ask(headers as Record<string, string>);
      expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(text).toContain(`# TYPE ${counter}_total counter\n${counter}_total 0\n`);
      expect(text).toContain(`# HELP ${counter}_total `);
      expect(text).not.toContain("# EOF");
    }
    const prometheus = { Accept: "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3" };
    const { type, text } = await ask(prometheus);
    expect(type).toStartWith("application/openmetrics-text; version=1.0.0");
    expect(text).toContain(`# TYPE ${counter} counter\n${counter}_total 0\n`);
    expect(text).toEndWith("# EOF\n");
  });
});
