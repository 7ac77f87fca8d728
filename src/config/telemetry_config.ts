import * as v from "valibot";
import { isLoopbackHost } from "../shared/loopback.ts";
import { matching, port, type SettingsOf, url } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** Metrics, traces, and the limits of a hanging or stopping process. */
export type TelemetryConfig = {
  /** Prometheus metrics: on their own port, on the website's port with a token, or off. */
  metrics: { host: string; port: number | undefined; token: string | undefined } | undefined;
  /** Where traces are sent; undefined: off. */
  traces: { url: string; headers: Record<string, string>; serviceName: string; share: number } | undefined;
  /** The watchdog ends the process after this long without progress; 0: never. */
  watchdogSeconds: number;
  /** How long readiness fails before the process stops listening. */
  stopGraceSeconds: number;
};

const HEADERS = /^\s*[\w-]+\s*=[^,]*(,\s*[\w-]+\s*=[^,]*)*$/;
const SHORTEST_WATCH = 30;
const GRACE = 3;

function isHeaders(text: string): boolean {
  try {
    return HEADERS.test(text) && decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}

const entries = {
  METRICS_PORT: v.optional(port),
  METRICS_HOST: v.optional(v.string(), "127.0.0.1"),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(32, "must have at least 32 characters"))),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(url(["http:", "https:"], "an http or https address")),
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(
    v.pipe(v.string(), v.check(isHeaders, 'must be a list such as "name=value,other=value"')),
  ),
  OTEL_SERVICE_NAME: v.optional(v.string(), "breachbell"),
  OTEL_TRACES_SAMPLER_ARG: v.optional(matching(/^(0(\.\d+)?|1(\.0+)?)$/, "must be between 0 and 1"), "1"),
  WATCHDOG_SECONDS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^\d{1,5}$/.test(text) && (Number(text) === 0 || Number(text) >= SHORTEST_WATCH),
        `must be 0 or a number of seconds, at least ${SHORTEST_WATCH}`,
      ),
    ),
    "60",
  ),
  STOP_GRACE_SECONDS: v.optional(matching(/^([0-9]|1[0-5])$/, "must be between 0 and 15")),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  METRICS_PORT: { says: "a separate port for Prometheus metrics at `/metrics`, with `/livez` and `/readyz`" },
  METRICS_HOST: { says: "the address that the metrics port listens on" },
  METRICS_TOKEN: {
    says: "the bearer token for metrics (at least 32 characters); without `METRICS_PORT`, metrics are served on the website’s port to requests with this token",
    required: "with `METRICS_HOST` on other machines",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    says: "where traces are sent, by OTLP over HTTP (JSON) to `…/v1/traces`; `traceparent` is accepted from the proxies in `TRUST_PROXY` and never passed on",
    required: "with `OTEL_EXPORTER_OTLP_HEADERS`",
  },
  OTEL_EXPORTER_OTLP_HEADERS: { says: "headers for sending traces, `name=value,other=value`" },
  OTEL_SERVICE_NAME: { says: "the service name in traces" },
  OTEL_TRACES_SAMPLER_ARG: { says: "the share of traces that is sent, from 0 to 1" },
  WATCHDOG_SECONDS: {
    says: "after how many seconds without progress the process ends itself, so that its supervisor restarts it; at least 30, or `0` for never",
  },
  STOP_GRACE_SECONDS: {
    says: "how many seconds a process that has been told to stop keeps serving, with 503 at `/readyz`, before it stops listening (at most 15)",
    standard: "`0`, in production `3`",
  },
};
type Settings = SettingsOf<typeof entries>;

const secrets = ["METRICS_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS"] as const;

function problems(settings: Settings): string[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, METRICS_HOST, METRICS_PORT, METRICS_TOKEN } =
    settings;
  const isLocal = METRICS_HOST === "::1" || isLoopbackHost(METRICS_HOST);
  const isOpen = METRICS_PORT !== undefined && !isLocal && METRICS_TOKEN === undefined;
  return [
    ...(OTEL_EXPORTER_OTLP_HEADERS !== undefined && OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? ["OTEL_EXPORTER_OTLP_ENDPOINT is missing: OTEL_EXPORTER_OTLP_HEADERS are sent there"]
      : []),
    ...(isOpen ? ["METRICS_TOKEN is missing: METRICS_HOST lets others than this machine ask"] : []),
  ];
}

/** Values are percent-encoded, as OpenTelemetry specifies. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim(), decodeURIComponent(value.join("=").trim())] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ""));
}

export function telemetryOf(settings: Settings, production: boolean): TelemetryConfig {
  const { METRICS_PORT, METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  const isMeasured = METRICS_PORT !== undefined || METRICS_TOKEN !== undefined;
  return {
    metrics: isMeasured ? { host: settings.METRICS_HOST, port: METRICS_PORT, token: METRICS_TOKEN } : undefined,
    traces:
      endpoint === undefined
        ? undefined
        : {
            url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
            headers: headersOf(settings.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
            serviceName: settings.OTEL_SERVICE_NAME,
            share: Number(settings.OTEL_TRACES_SAMPLER_ARG),
          },
    watchdogSeconds: Number(settings.WATCHDOG_SECONDS),
    stopGraceSeconds: Number(settings.STOP_GRACE_SECONDS ?? (production ? GRACE : 0)),
  };
}

export const telemetrySettings = { entries, words, secrets, problems };
