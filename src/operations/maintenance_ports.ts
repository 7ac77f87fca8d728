/** Maintenance mode: requests are rejected and jobs are paused. */
export type Maintenance = {
  since: Date;
  /** The expected end; it only ends when the operator ends it. */
  until: Date | undefined;
  /** The operator's message to users. */
  message: string | undefined;
};

export type MaintenanceRepository = {
  find(): Promise<Maintenance | undefined>;
  /** Replaces the current one, but keeps its start. */
  set(maintenance: Maintenance): Promise<void>;
  /** False when it was not on. */
  clear(): Promise<boolean>;
};

/** When a job last ended, in any process, and when it last failed. */
export type JobRun = { name: string; endedAt: Date; failedAt: Date | undefined };

export type JobRunRepository = {
  /** Never replaces a later time by an earlier one. */
  note(runs: JobRun[]): Promise<void>;
  list(): Promise<JobRun[]>;
};
