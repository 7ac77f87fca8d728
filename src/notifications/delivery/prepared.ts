import type { Level } from "../../shared/severity.ts";
import type { AlertAudience, CancelReason, Message } from "../ports.ts";
import type { Measured } from "../reporting/tally.ts";
import type { Wait } from "./schedule.ts";

export type Ready = {
  /** Throws when its texts are missing or its secrets cannot be decrypted. */
  write: () => Message;
  /** The account is told if its contact cannot be. */
  told?: AlertAudience;
  /** It goes to the account's own address, the last recipient. */
  lastResort: boolean;
  /** It concerns addresses whose owners have allowed this account alone, and no one else, to know. */
  confided?: boolean;
  /** The highest severity of its alerts; undefined where severity does not apply. */
  level?: Level;
  /** The metrics that its outcome counts for; absent: its channel only. */
  measured?: Measured;
};
export type Cancelled = { cancelled: CancelReason; told?: AlertAudience };
export type Prepared = Ready | Cancelled | { wait: Wait };
