import type { ServiceNotice, ServiceStatus } from "../../web/api/service_api.ts";
import { ago, HOUR } from "./fake_alerts.ts";

const DAY = 24 * HOUR;
const day = (daysAgo: number) => ago(daysAgo * DAY).slice(0, 10);

/** The last days, with trouble on some of them. */
function history(length: number, troubles: Record<number, number> = {}) {
  return Array.from({ length }, (_, index) => length - 1 - index).map((daysAgo) => ({
    day: day(daysAgo),
    measuredMinutes: daysAgo === 0 ? 600 : 1440,
    troubledMinutes: troubles[daysAgo] ?? 0,
  }));
}

export function serviceStatus(change: Partial<ServiceStatus> = {}): ServiceStatus {
  const rates: Record<number, number | null> = { 3: 97.5, 9: null };
  const rated = history(60, { 20: 14 }).map((each, index) => {
    const rate = rates[59 - index];
    return { ...each, successPercent: rate === undefined ? 100 : rate };
  });
  return {
    state: "well",
    checkedAt: ago(0),
    measuredSince: day(59),
    sources: [
      {
        source: "hibp",
        state: "well",
        pausedUntil: null,
        syncedAt: ago(2 * HOUR),
        oldestDueAt: null,
        leftOut: 0,
        days: history(60, { 12: 25, 30: 400 }),
      },
    ],
    channels: [
      { channel: "email", state: "well", successPercent: 99.8, days: rated },
      { channel: "telegram", state: "well", successPercent: null, days: [] },
    ],
    oldestWaitingSeconds: null,
    detectionToAcceptance: {
      medianSeconds: 7,
      p95Seconds: 90,
      possiblyTwicePercent: 0.1,
      days: [2, 1].map((daysAgo) => ({ day: day(daysAgo), medianSeconds: 7, p95Seconds: daysAgo * 1200 })),
    },
    incidents: [],
    ...change,
  };
}

/** Before any measurement. */
export function freshStatus(): ServiceStatus {
  const latency = { medianSeconds: null, p95Seconds: null, possiblyTwicePercent: null, days: [] };
  const { sources, channels } = serviceStatus();
  return serviceStatus({
    measuredSince: null,
    sources: sources.map((source) => ({ ...source, days: [] })),
    channels: channels.map((channel) => ({ ...channel, successPercent: null, days: [] })),
    detectionToAcceptance: latency,
  });
}

/** One of each kind and state, in one language and in several. */
export function incidents(): ServiceStatus["incidents"] {
  const text = (en: string) => ({ en });
  const news = (number: string) => ({ id: `0190a000-0000-7000-8000-0000000001${number}` });
  const later = ago(-30 * HOUR);
  return [
    {
      id: "0190a000-0000-7000-8000-000000000001",
      kind: "incident",
      state: "identified",
      title: { en: "Mails arrive late", de: "Mails kommen verspätet an" },
      parts: ["email", "website"],
      startsAt: ago(2 * HOUR),
      endsAt: null,
      updates: [
        {
          ...news("11"),
          at: ago(HOUR),
          state: "identified",
          text: text("Our mail provider is slow.\nNothing is lost."),
        },
        { ...news("12"), at: ago(2 * HOUR), state: "investigating", text: text("We are looking into it.") },
      ],
    },
    {
      id: "0190a000-0000-7000-8000-000000000002",
      kind: "maintenance",
      state: "planned",
      title: text("New database"),
      parts: [],
      startsAt: later,
      endsAt: ago(-31 * HOUR),
      updates: [{ ...news("21"), at: ago(HOUR), state: "planned", text: text("A minute without the website.") }],
    },
    {
      id: "0190a000-0000-7000-8000-000000000003",
      kind: "incident",
      state: "resolved",
      title: text("Checks paused"),
      parts: ["checks"],
      startsAt: ago(9 * DAY),
      endsAt: ago(8 * DAY),
      updates: [{ ...news("31"), at: ago(8 * DAY), state: "resolved", text: text("All checks were made up for.") }],
    },
  ];
}

export function serviceNotice(): ServiceNotice {
  const [first] = incidents();
  if (!first) throw new Error("Cannot find an incident");
  const { id, kind, title, state, startsAt, endsAt } = first;
  return { id, kind, title, state, startsAt, endsAt };
}

/** One of every possible problem. */
export function impaired(): ServiceStatus {
  const times = { pausedUntil: null, syncedAt: ago(26 * HOUR), oldestDueAt: ago(3 * HOUR), leftOut: 2, days: [] };
  return serviceStatus({
    state: "impaired",
    sources: [
      { ...times, source: "hibp", state: "paused", pausedUntil: ago(-HOUR), days: history(90, { 0: 90 }) },
      { ...times, source: "xposedornot", state: "troubled", syncedAt: null },
      { ...times, source: "dataset", state: "well" },
      { ...times, source: "bundled", state: "well" },
    ],
    channels: [
      { channel: "email", state: "troubled", successPercent: 12.3, days: [] },
      { channel: "telegram", state: "resting", successPercent: null, days: [] },
      { channel: "webhook", state: "well", successPercent: 100, days: [] },
    ],
    oldestWaitingSeconds: 25 * 60,
    incidents: incidents(),
  });
}

export function down(): ServiceStatus {
  const { detectionToAcceptance } = freshStatus();
  return serviceStatus({ state: "down", sources: [], channels: [], measuredSince: null, detectionToAcceptance });
}
