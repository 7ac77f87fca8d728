/** The last backup that was made. `machine`: the name of the host whose disk has the file; `seconds`: how long it took, rounded up. */
export type LastBackup = { at: Date; machine: string; file: string; bytes: number; rows: number; seconds: number };

/** What is known of an installation's backups, whichever process made them. */
export type BackupRecord = {
  /** Since when backups are scheduled. */
  since: Date;
  last: LastBackup | undefined;
  /** Why the last attempt failed; a later success removes it. */
  failure: { says: string; at: Date } | undefined;
};

/** Of several processes on one database, one makes the backup that is due. */
export type ScheduleStore = {
  /** Undefined before the first start that schedules backups. */
  read(): Promise<BackupRecord | undefined>;
  /** Notes that backups are scheduled from now on, unless they are already. */
  begin(now: Date): Promise<void>;
  /**
   * True for one process, if no backup was made since `due` and no other process has claimed it. The claim ends by itself at
   * `until`, so a process that died or failed delays the backup only until then.
   */
  claim(claim: { due: Date; now: Date; until: Date }): Promise<boolean>;
  /** Ends the claim. */
  made(last: LastBackup): Promise<void>;
  failed(failure: { says: string; at: Date }): Promise<void>;
};
