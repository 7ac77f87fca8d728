import type { ServiceStatus } from "../../web/api.ts";
import { ago, HOUR } from "./fake_alerts.ts";

export function serviceStatus(change: Partial<ServiceStatus> = {}): ServiceStatus {
  return {
    state: "well",
    checkedAt: ago(0),
    sources: [{ source: "hibp", state: "well", pausedUntil: null, syncedAt: ago(2 * HOUR), oldestDueAt: null }],
    channels: [
      { channel: "email", state: "well" },
      { channel: "telegram", state: "well" },
    ],
    oldestWaitingSeconds: null,
    ...change,
  };
}

/** One of everything that may be wrong. */
export function impaired(): ServiceStatus {
  const times = { pausedUntil: null, syncedAt: ago(26 * HOUR), oldestDueAt: ago(3 * HOUR) };
  return serviceStatus({
    state: "impaired",
    sources: [
      { ...times, source: "hibp", state: "paused", pausedUntil: ago(-HOUR) },
      { ...times, source: "xposedornot", state: "troubled", syncedAt: null },
      { ...times, source: "dataset", state: "well" },
      { ...times, source: "bundled", state: "well" },
    ],
    channels: [
      { channel: "email", state: "troubled" },
      { channel: "telegram", state: "resting" },
      { channel: "webhook", state: "well" },
    ],
    oldestWaitingSeconds: 25 * 60,
  });
}

export const down = (): ServiceStatus => serviceStatus({ state: "down", sources: [], channels: [] });
