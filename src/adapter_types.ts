import type { Erasures } from "./backup/erasures.ts";
import type { BackupStatus } from "./backup/schedule.ts";
import type { SandboxPayments } from "./billing/adapters/sandbox/sandbox.ts";
import type { BillingDeps } from "./billing/mod.ts";
import type { BreachDeps } from "./breaches/mod.ts";
import type { BudgetUse } from "./breaches/ports.ts";
import type { DomainDeps } from "./domains/mod.ts";
import type { Outbox } from "./events/outbox.ts";
import type { IdentityDeps } from "./identity/mod.ts";
import type { InvitationDeps } from "./invitations/mod.ts";
import type { StandIns } from "./notifications/adapters/channels/inbox/mailbox_stand_ins.ts";
import type { NotificationDeps } from "./notifications/mod.ts";
import type { OperationsDeps } from "./operations/mod.ts";
import type { Cipher, HashToken, Mac, NewToken } from "./shared/secrets.ts";
import type { SupportDeps } from "./support/mod.ts";
import type { Health } from "./telemetry/health.ts";
import type { TrackingDeps } from "./tracking/mod.ts";

/** Everything that reaches outside the process, chosen by `adapters.ts` or by a test. */
export type Adapters = {
  transactions: {
    identity: IdentityDeps["transaction"];
    tracking: TrackingDeps["transaction"];
    invitations: InvitationDeps["transaction"];
    breaches: BreachDeps["transaction"];
    billing: BillingDeps["transaction"];
    notifications: NotificationDeps["transaction"];
    operations: OperationsDeps["transaction"];
    support: SupportDeps["transaction"];
    domains: DomainDeps["transaction"];
  };
  outbox: Outbox;
  backups: {
    erasures: Erasures;
    /** Makes the backup that is due, if any. */
    runDue(): Promise<void>;
    status(): Promise<BackupStatus>;
  };
  gateways: {
    feeds: BreachDeps["feeds"];
    /** Files to import, where a source takes them. */
    imports: BreachDeps["imports"];
    descriptions: BreachDeps["descriptions"];
    /** Where logos come from, if anybody may be asked. */
    logos: BreachDeps["logoSource"];
    directories: BreachDeps["directories"];
    letterDirectories: BreachDeps["letterDirectories"];
    aliasDirectory: TrackingDeps["aliasDirectory"];
    /** None where no service may be asked. */
    changePasswordPages: BreachDeps["changePasswordPages"];
    senders: NotificationDeps["senders"];
    /** None where Telegram is not set up. */
    telegramBot: NotificationDeps["telegramBot"];
    passwords: IdentityDeps["passwords"];
    commonPasswords: IdentityDeps["commonPasswords"];
    /** None where the operator has not turned them on. */
    breachedPasswords: IdentityDeps["breachedPasswords"];
    providers: IdentityDeps["providers"];
    oneTimePasswords: IdentityDeps["oneTimePasswords"];
    passkeyCeremonies: IdentityDeps["passkeyCeremonies"];
    payments: BillingDeps["payments"];
    translate: NotificationDeps["translate"];
    sinks: OperationsDeps["sinks"];
    domainProofs: DomainDeps["proofs"];
  };
  health: Health;
  system: {
    now: () => Date;
    newId: () => string;
    newToken: NewToken;
    newCode: () => string;
    newRecoveryCode: () => string;
    hashToken: HashToken;
    mac: Mac;
    cipher: Cipher;
    random: () => number;
    sleep: (ms: number) => Promise<void>;
    /** For a job, before the next thing that it does on this thread: people who ask now go first. */
    yieldToRequests?: () => Promise<void> | undefined;
    report: (error: unknown, context: Record<string, unknown>) => void;
    /** Tells the operator what happened, by ids alone. */
    note: (says: string, context: Record<string, unknown>) => void;
    /** Which database this is, and how large. */
    database: () => Promise<{ kind: "embedded" | "server"; bytes: number }>;
    /** What this process has taken of the sources' rates. */
    budgets: () => Promise<BudgetUse[]>;
    /** Which of the processes this is, for the operator's eyes. */
    processName: string;
    /** Whether the database answers. */
    ping: () => Promise<void>;
  };
  /** What a demonstration source knows; empty for a real one. */
  exampleAddresses: string[];
  /** The built web app; none in tests of the API. */
  webDirectory: string | undefined;
  /** The sandbox behind `payments`, where it has pages of its own. */
  sandbox: SandboxPayments | undefined;
  /** The development mailbox' folder, when mail stays here. */
  mailboxDirectory: string | undefined;
  /** Local replacements of channels that are not configured. */
  standIns: StandIns | undefined;
};
