import type { EventPublisher } from "../events/catalogue.ts";
import type { Localized } from "../shared/localized.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { IncidentKind, IncidentState, Part } from "./inputs.ts";
import type { JobRunRepository, MaintenanceRepository } from "./maintenance_ports.ts";

/** News of an incident, as the operator wrote it. */
export type IncidentUpdate = { id: string; at: Date; state: IncidentState; text: Localized };

/** Something that goes wrong, or a maintenance that is planned. Says nothing of who wrote it: the audit log does. */
export type Incident = {
  id: string;
  kind: IncidentKind;
  title: Localized;
  parts: Part[];
  /** That of its last update; for a maintenance only "resolved" means something. */
  state: IncidentState;
  startsAt: Date;
  /** Of a maintenance: its planned end. */
  endsAt: Date | undefined;
  resolvedAt: Date | undefined;
};
/** Newest update first. */
export type ToldIncident = Incident & { updates: IncidentUpdate[] };

export type IncidentRepository = {
  add(incident: Incident): Promise<void>;
  /** For a change: nobody else changes it before this transaction ends. */
  findLocked(id: string): Promise<Incident | undefined>;
  save(incident: Incident): Promise<void>;
  addUpdate(incidentId: string, update: IncidentUpdate): Promise<void>;
  /** Newest first. */
  listUpdates(incidentId: string): Promise<IncidentUpdate[]>;
  /** Puts other words and another state into one that was told. */
  saveUpdate(update: IncidentUpdate): Promise<void>;
  /** With its updates; false when there is none. */
  remove(id: string): Promise<boolean>;
  /** Those that are not over, and those that were not over at `since`; the latest start first. */
  listSince(since: Date): Promise<ToldIncident[]>;
  /** All, the latest start first. */
  list(offset: number, limit: number): Promise<{ incidents: ToldIncident[]; total: number }>;
};

/** How one source or channel did on one day, in minutes. */
export type PartDay = {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  /** "source:hibp", "channel:email". */
  part: string;
  measured: number;
  troubled: number;
};

export type UptimeRepository = {
  /** Counts this minute of each part, once however many processes look. */
  count(minute: Date, parts: MeasuredPart[]): Promise<void>;
  /** From that day on, by day and part. */
  list(from: string): Promise<PartDay[]>;
  removeBefore(day: string): Promise<number>;
};

export type MeasuredPart = { part: string; troubled: boolean };
/** Asked of the other modules: how each source and channel does now. */
export type HealthCheck = { look(): Promise<MeasuredPart[]> };

export type OperationsStore = {
  incidents: IncidentRepository;
  uptime: UptimeRepository;
  maintenance: MaintenanceRepository;
  jobRuns: JobRunRepository;
  events: EventPublisher;
};

export type OperationsDeps = {
  transaction: Transaction<OperationsStore>;
  clinic: HealthCheck;
  now: () => Date;
  newId: () => string;
};
