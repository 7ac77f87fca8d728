import type { EventPublisher } from "../events/catalogue.ts";
import type { Localized } from "../shared/localized.ts";
import type { HashToken } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import type {
  AlertFactsOf,
  EventLogRepository,
  EventSink,
  GoneAccounts,
  SinkRepository,
  TrackedAddresses,
} from "./event_log_ports.ts";
import type { IncidentKind, IncidentState, Part } from "./inputs.ts";
import type { JobRunRepository, MaintenanceRepository } from "./maintenance_ports.ts";

/** An update of an incident, as written by the operator. */
export type IncidentUpdate = { id: string; at: Date; state: IncidentState; text: Localized };

/** An incident or a planned maintenance. Its author is only in the audit log. */
export type Incident = {
  id: string;
  kind: IncidentKind;
  title: Localized;
  parts: Part[];
  /** The state of its last update; for a maintenance only "resolved" is significant. */
  state: IncidentState;
  startsAt: Date;
  /** For maintenance: the planned end. */
  endsAt: Date | undefined;
  resolvedAt: Date | undefined;
};
/** Newest update first. */
export type ToldIncident = Incident & { updates: IncidentUpdate[] };

export type IncidentRepository = {
  add(incident: Incident): Promise<void>;
  /** Finds with a row lock until the end of the transaction. */
  findLocked(id: string): Promise<Incident | undefined>;
  save(incident: Incident): Promise<void>;
  addUpdate(incidentId: string, update: IncidentUpdate): Promise<void>;
  /** Newest first. */
  listUpdates(incidentId: string): Promise<IncidentUpdate[]>;
  /** Replaces an update's text and state. */
  saveUpdate(update: IncidentUpdate): Promise<void>;
  /** Removes it with its updates; false when there is none. */
  remove(id: string): Promise<boolean>;
  /** Those that have not ended, or had not ended at `since`; the latest start first. */
  listSince(since: Date): Promise<ToldIncident[]>;
  /** All, the latest start first. */
  list(offset: number, limit: number): Promise<{ incidents: ToldIncident[]; total: number }>;
};

/** The measured minutes of one source or channel on one day. */
export type PartDay = {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  /** "source:hibp", "channel:email". */
  part: string;
  measured: number;
  troubled: number;
};

export type UptimeRepository = {
  /** Counts this minute for each part, only once even if several processes measure it. */
  count(minute: Date, parts: MeasuredPart[]): Promise<void>;
  /** All days from `from` on, ordered by day and part. */
  list(from: string): Promise<PartDay[]>;
  removeBefore(day: string): Promise<number>;
};

export type MeasuredPart = { part: string; troubled: boolean };
/** Implemented by the other modules: the current health of each source and channel. */
export type HealthCheck = { look(): Promise<MeasuredPart[]> };

export type OperationsStore = {
  incidents: IncidentRepository;
  uptime: UptimeRepository;
  maintenance: MaintenanceRepository;
  jobRuns: JobRunRepository;
  eventLog: EventLogRepository;
  sinks: SinkRepository;
  events: EventPublisher;
};

export type OperationsDeps = {
  transaction: Transaction<OperationsStore>;
  clinic: HealthCheck;
  now: () => Date;
  newId: () => string;
  hashToken: HashToken;
  goneAccounts: GoneAccounts;
  alertFacts: AlertFactsOf;
  trackedAddresses: TrackedAddresses;
  /** Where the operator's events are sent. */
  sinks: EventSink[];
};
