import * as v from "valibot";
import type { OutboundProxy } from "../shared/outbound_proxy.ts";
import { listed, type SettingsOf, url } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

const proxy = url(["http:", "https:"], "the http or https address of a proxy, such as http://proxy.lan:3128");

const entries = {
  HTTPS_PROXY: v.optional(proxy),
  HTTP_PROXY: v.optional(proxy),
  NO_PROXY: v.optional(v.string(), ""),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  HTTPS_PROXY: { says: "the proxy for outbound https requests, such as `http://proxy.lan:3128`; mail does not use it" },
  HTTP_PROXY: { says: "the proxy for outbound http requests" },
  NO_PROXY: { says: "hosts that are reached without the proxy, separated by commas; a name includes its subdomains" },
};

const LOWER_CASE = Object.keys(entries).map((name) => [name.toLowerCase(), name] as const);

/** Other programs, and `fetch` itself, know these settings in lower case as well. */
export function withLowerCase(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  const given = { ...environment };
  for (const [lower, name] of LOWER_CASE) given[name] ??= environment[lower];
  return given;
}

export function outboundProxyOf({
  HTTPS_PROXY: https,
  HTTP_PROXY: http,
  NO_PROXY,
}: SettingsOf<typeof entries>): OutboundProxy | undefined {
  if (https === undefined && http === undefined) return undefined;
  return { ...(https !== undefined && { https }), ...(http !== undefined && { http }), except: listed(NO_PROXY) };
}

export const outboundSettings = { entries, words };
