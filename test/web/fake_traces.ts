import type { Traces } from "../../web/api/api.ts";
import { ALICE, ago, DAY, HOUR } from "./fake_alerts.ts";

/** The fake server's pastes and stealer logs of the own address. */
export type TraceScene = {
  traces: Traces;
  /** What asking brings. */
  found: Pick<Traces, "pastes" | "sites" | "sitesRefused">;
};

/** Before they are asked for. */
export function traces(more: Partial<Traces> = {}): Traces {
  return {
    address: ALICE,
    source: "hibp",
    sendsAddress: true,
    offers: { pastes: true, sites: true },
    askedAt: null,
    pastes: null,
    sites: null,
    sitesRefused: false,
    askAgainAt: null,
    ...more,
  };
}

const SITES = [
  ...["accounts.google.com", "login.live.com", "paypal.com", "dropbox.com", "github.com", "amazon.de", "linkedin.com"],
  ...["a-very-long-name-of-a-website-that-needs-room.subdomain.of-a-long-company-name.example", "forum.example.net"],
];

export function found(): TraceScene["found"] {
  return {
    sites: SITES.map((site, place) => ({ site, done: place < 2 })),
    sitesRefused: false,
    pastes: [
      { source: "Pastebin", url: null, title: "combo list", date: ago(2200 * DAY), addresses: 139 },
      { source: "AdHocUrl", url: "https://paste.example/dump.txt", title: null, date: null, addresses: 30_412 },
    ],
  };
}

/** After they were asked for. */
export function asked(more: Partial<Traces> = {}): Traces {
  return traces({ ...found(), askedAt: ago(2 * HOUR), ...more });
}

export function answerTraces(stage: TraceScene, call: string, sent: unknown): unknown {
  if (call === "GET /api/monitoring/traces") return stage.traces;
  if (call === "POST /api/monitoring/traces") {
    stage.traces = { ...stage.traces, ...stage.found, askedAt: ago(0), askAgainAt: ago(-HOUR) };
    return stage.traces;
  }
  if (call !== "PUT /api/monitoring/traces/sites") return undefined;
  const { site, done } = sent as { site: string; done: boolean };
  const sites = stage.traces.sites?.map((one) => (one.site === site ? { site, done } : one)) ?? null;
  stage.traces = { ...stage.traces, sites };
  return { site, done };
}
