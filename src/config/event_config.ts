import * as v from "valibot";
import { incomplete, type SettingsOf, secureOrigin, url } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** Where the operator's events are sent; undefined: nowhere. */
export type EventConfig = {
  syslog: { host: string; port: number } | undefined;
  splunk: { url: string; token: string } | undefined;
};

const secrets = ["EVENTS_SPLUNK_TOKEN"] as const;

const SYSLOG_PORT = 6514;

/** Settings of the operator's event stream. */
const entries = {
  EVENTS_SYSLOG_URL: v.optional(url(["tls:"], "the address of a syslog server, such as tls://siem.lan:6514")),
  EVENTS_SPLUNK_URL: v.optional(secureOrigin),
  EVENTS_SPLUNK_TOKEN: v.optional(v.string()),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  EVENTS_SYSLOG_URL: {
    says: "a syslog server that is sent alerts, consent and staff actions as ids (RFC 5424 over TLS), such as `tls://siem.lan:6514`",
  },
  EVENTS_SPLUNK_URL: {
    says: "the same for Splunk’s HTTP Event Collector, such as `https://splunk.lan:8088`",
    required: "with `EVENTS_SPLUNK_TOKEN`",
  },
  EVENTS_SPLUNK_TOKEN: { says: "the token of the HTTP Event Collector", required: "with `EVENTS_SPLUNK_URL`" },
};
type Settings = SettingsOf<typeof entries>;

function problems(settings: Settings): string[] {
  return incomplete(settings, ["EVENTS_SPLUNK_URL", "EVENTS_SPLUNK_TOKEN"]);
}

export function eventsOf({ EVENTS_SYSLOG_URL, EVENTS_SPLUNK_URL, EVENTS_SPLUNK_TOKEN }: Settings): EventConfig {
  const { hostname = "", port = "" } = EVENTS_SYSLOG_URL === undefined ? {} : new URL(EVENTS_SYSLOG_URL);
  const syslog = { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? SYSLOG_PORT : Number(port) };
  return {
    syslog: EVENTS_SYSLOG_URL === undefined ? undefined : syslog,
    splunk:
      EVENTS_SPLUNK_URL === undefined || EVENTS_SPLUNK_TOKEN === undefined
        ? undefined
        : { url: new URL(EVENTS_SPLUNK_URL).origin, token: EVENTS_SPLUNK_TOKEN },
  };
}

export const eventSettings = { entries, words, secrets, problems };
