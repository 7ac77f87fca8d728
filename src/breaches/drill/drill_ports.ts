import type { Alert } from "../alerts/alert_ports.ts";
import type { Breach } from "../catalogue/breach.ts";

/** A running fire drill: one made-up breach with one alert, of one account. */
export type Drill = {
  id: string;
  accountId: string;
  associationId: string;
  address: string;
  breachName: string;
  alertId: string;
  startedAt: Date;
};

export type DrillRepository = {
  /** Stores the drill with its breach and alert; false while the account has one already. */
  start(drill: Drill, made: { breach: Breach; alert: Alert }): Promise<boolean>;
  find(accountId: string): Promise<Drill | undefined>;
  /** Those started before, at most `limit`. */
  listStartedBefore(before: Date, limit: number): Promise<Drill[]>;
  /** Removes the drill with its breach and alert; undefined when there is none. */
  end(accountId: string): Promise<Drill | undefined>;
};
