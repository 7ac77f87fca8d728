/** A part of the fault set: a script with its settings, or tests whose result becomes one line. */
export type Part = { goals: string[] } & (
  | { script: string; long: Record<string, string>; short: Record<string, string> }
  | { what: string; tests: string[]; long?: Record<string, string> }
);

/** In order of importance for users. `short` takes a few minutes in total, `long` most of an hour. */
export const PARTS: Part[] = [
  {
    goals: ["R1", "R2"],
    script: "delivery_kills.ts",
    long: { KILLS: "500", DELIVERIES: "5000" },
    short: { KILLS: "6", DELIVERIES: "100", KINDS: "postgres" },
  },
  {
    goals: ["R1"],
    what: "a death before and after each step between source, database and provider, and random ones",
    tests: ["random_crashes_test.ts", "flows_test.ts", "notifications/crash_test.ts"],
    long: { FAULT_SEEDS: "1,1000" },
  },
  { goals: ["R1"], script: "scan_kills.ts", long: { KILLS: "50" }, short: { KILLS: "4" } },
  { goals: ["R3", "R17"], script: "worker_ends.ts", long: { ENDS: "stop,kill" }, short: { ENDS: "stop" } },
  { goals: ["R4"], script: "restarts.ts", long: { RESTARTS: "20" }, short: { RESTARTS: "2" } },
  { goals: ["R4"], what: "PgBouncer in transaction mode (Debian's)", tests: ["faults/pgbouncer_test.ts"] },
  { goals: ["R5", "R39"], script: "half_open.ts", long: { OUTAGE_SECONDS: "60" }, short: { OUTAGE_SECONDS: "1" } },
  {
    goals: ["R6"],
    what: "what each provider can answer, and what becomes of the message",
    tests: [
      "notifications/fault_matrix_test.ts",
      "notifications/smtp_fault_matrix_test.ts",
      "notifications/smtp_time_limits_test.ts",
      "notifications/smtp_tls_test.ts",
      "notifications/lease_renewal_test.ts",
      "notifications/pacing_test.ts",
      "contracts/sender_faults_test.ts",
      "contracts/message_sender_test.ts",
      "notifications/deliver_test.ts",
    ],
  },
  { goals: ["R7"], script: "outage.ts", long: { HOURS: "72" }, short: { HOURS: "72" } },
  {
    goals: ["R7"],
    what: "a source in trouble for an hour, and what is said of it",
    tests: [
      "breaches/scan_trouble_test.ts",
      "breaches/source_pause_test.ts",
      "breaches/overdue_checks_test.ts",
      "breaches/hibp_trouble_test.ts",
    ],
  },
  { goals: ["R8"], script: "mutated_catalogue.ts", long: { SEEDS: "200" }, short: { SEEDS: "20" } },
  {
    goals: ["R8"],
    what: "a catalogue that repeats, renames, retires and loses entries",
    tests: [
      "breaches/catalogue_sync_test.ts",
      "breaches/catalogue_poll_test.ts",
      "breaches/changes_test.ts",
      "breaches/hibp_changes_test.ts",
      "breaches/scan_test.ts",
    ],
  },
  {
    goals: ["R9"],
    what: "two addresses in one breach, two spellings of one contact",
    tests: ["breaches/scan_test.ts", "notifications/queue_test.ts", "notifications/contacts_test.ts"],
  },
  {
    goals: ["R10"],
    what: "first checks, and what is published during them",
    tests: ["breaches/scan_test.ts", "breaches/overtaking_test.ts", "breaches/several_sources_test.ts"],
  },
  {
    goals: ["R11", "R33"],
    script: "one_schedule.ts",
    long: { ADDRESSES: "10000", RPM: "12000" },
    short: { ADDRESSES: "60", RPM: "1200" },
  },
  { goals: ["R12"], script: "poison.ts", long: { CRASHES: "5" }, short: { CRASHES: "0" } },
  {
    goals: ["R12"],
    what: "a row that takes its worker down, a send that hangs, an account with thousands",
    tests: ["notifications/workers_test.ts", "notifications/drain_test.ts", "notifications/fairness_test.ts"],
  },
  {
    goals: ["R13"],
    script: "codes_overtake.ts",
    long: { MAILS: "5000", CODES: "40" },
    short: { MAILS: "200", CODES: "4" },
  },
  {
    goals: ["R13"],
    what: "lanes, and codes that are too late",
    tests: ["notifications/deliver_test.ts", "contracts/delivery_lanes_test.ts"],
  },
  { goals: ["R14"], script: "latency.ts", long: { ALERTS: "2000" }, short: { ALERTS: "100" } },
  {
    goals: ["R15"],
    what: "dead letters, seen and sent again",
    tests: ["notifications/dead_letters_test.ts", "cli/commands_test.ts", "contracts/delivery_returns_test.ts"],
  },
  { goals: ["R16"], script: "clocks.ts", long: { OFFSETS: "-2h,+1d,+400d,-1h" }, short: { OFFSETS: "+1d" } },
  {
    goals: ["R16"],
    script: "rechecks.ts",
    long: { OFFSETS: "-2h,+1d,+400d,-1h", BACK: "1" },
    short: { OFFSETS: "+400d", BACK: "0" },
  },
  {
    goals: ["R17"],
    script: "rolling.ts",
    long: { RESTARTS: "10", RATE: "200" },
    short: { RESTARTS: "1", RATE: "20" },
  },
  { goals: ["R30"], script: "directory_kills.ts", long: { KILLS: "100" }, short: { KILLS: "3" } },
  {
    goals: ["R30"],
    what: "a second process, also of another PID namespace",
    tests: ["faults/directory_kills_test.ts"],
  },
  { goals: ["R31"], script: "backup_kills.ts", long: { KILLS: "20" }, short: { KILLS: "2" } },
  {
    goals: ["R31"],
    what: "backups to and fro, of one moment, cut short and flipped",
    tests: ["backup/round_trip_test.ts", "backup/while_writing_test.ts"],
  },
  { goals: ["R32"], what: "what a restore voids, holds and erases", tests: ["backup/restored_test.ts"] },
  { goals: ["R33"], script: "migration_kills.ts", long: { EVERY: "5" }, short: { EVERY: "100" } },
  {
    goals: ["R34"],
    what: "nothing is left of who leaves",
    tests: ["deletion_flow_test.ts", "identity/deletion_test.ts", "contracts/delivery_removal_test.ts"],
  },
  { goals: ["R35"], what: "the export is whole, and nobody else's", tests: ["export_flow_test.ts"] },
  {
    goals: ["R36"],
    what: "what is written down of an account, and for how long",
    tests: ["identity/activity_test.ts", "contracts/audit_store_test.ts"],
  },
  { goals: ["R36"], script: "audit_log.ts", long: {}, short: {} },
  { goals: ["R37"], script: "disk_full.ts", long: {}, short: {} },
];
