import type { Meter } from "./metrics.ts";
import type { Unready } from "./probes.ts";
import { silent, type Telemetry } from "./telemetry.ts";

type Say = (message: string, details: Record<string, unknown>) => void;

/** How this process does, for whoever watches it. */
export type Health = {
  telemetry: Telemetry;
  log: Record<"debug" | "info" | "warn", Say>;
  /** It takes nothing new. */
  isStopping: () => boolean;
  unready: () => Promise<Unready | undefined>;
  /** Figures on the website's own port, for who has the token. */
  metrics: (Pick<Meter, "text" | "contentType"> & { token: string }) | undefined;
};

/** Of what is neither watched nor stopped. */
export const unwatched: Health = {
  telemetry: silent,
  log: { debug() {}, info() {}, warn() {} },
  isStopping: () => false,
  unready: async () => undefined,
  metrics: undefined,
};
