import type { Level } from "../../shared/severity.ts";
import type { AlertAudience, CancelReason, Message } from "../ports.ts";
import type { Measured } from "../reporting/tally.ts";
import type { Wait } from "./schedule.ts";

export type Ready = {
  /** Throws when there are no words for it or its secrets cannot be read. */
  write: () => Message;
  told: AlertAudience | undefined;
  /** It goes to the account's own address, after which there is none. */
  lastResort: boolean;
  /** Of the gravest that it tells; none where seriousness means nothing. */
  level?: Level;
  /** What its end counts for; absent: for its channel alone. */
  measured?: Measured;
};
export type Prepared = Ready | { cancelled: CancelReason; told?: AlertAudience } | { wait: Wait };
