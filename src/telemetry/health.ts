import type { Meter } from "./metrics.ts";
import type { Unready } from "./probes.ts";
import { silent, type Telemetry } from "./telemetry.ts";

type Say = (message: string, details: Record<string, unknown>) => void;

/** State of this process for supervisors and monitoring. */
export type Health = {
  telemetry: Telemetry;
  log: Record<"debug" | "info" | "warn", Say>;
  /** The process is shutting down and accepts no new work. */
  isStopping: () => boolean;
  unready: () => Promise<Unready | undefined>;
  /** Metrics on the website's port, protected by the token. */
  metrics: (Pick<Meter, "text" | "contentType"> & { token: string }) | undefined;
};

/** For processes without monitoring or shutdown handling. */
export const unwatched: Health = {
  telemetry: silent,
  log: { debug() {}, info() {}, warn() {} },
  isStopping: () => false,
  unready: async () => undefined,
  metrics: undefined,
};
