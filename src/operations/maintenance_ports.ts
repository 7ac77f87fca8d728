/** The service rests: it answers nobody and takes on no work. */
export type Maintenance = {
  since: Date;
  /** When it is expected to end; it ends when somebody says so. */
  until: Date | undefined;
  /** The operator's own words to everybody. */
  message: string | undefined;
};

export type MaintenanceRepository = {
  find(): Promise<Maintenance | undefined>;
  /** Replaces the one that is on; it goes on since it began. */
  set(maintenance: Maintenance): Promise<void>;
  /** False when none was on. */
  clear(): Promise<boolean>;
};

/** When a job ended last, in whichever process, and when it failed last. */
export type JobRun = { name: string; endedAt: Date; failedAt: Date | undefined };

export type JobRunRepository = {
  /** An older end or failure replaces no newer one. */
  note(runs: JobRun[]): Promise<void>;
  list(): Promise<JobRun[]>;
};
