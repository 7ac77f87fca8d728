import type { Backups } from "../adapters.ts";
import type { Composition } from "../compose.ts";
import type { Config, Loaded } from "../config/config.ts";
import type { Setting } from "../config/settings.ts";
import type { Database } from "../database/postgres.ts";
import type { Mac } from "../shared/secrets.ts";
import type { StaffAct, StaffObject } from "../shared/staff.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Answer, Progress } from "./answer.ts";

/** An option as its name after `--`; a flag takes no value. */
export type OptionSpec = {
  kind: "flag" | "text" | "number" | "day";
  says: string;
  /** What stands for its value in the help, such as `text`. */
  value?: string;
  choices?: readonly string[];
};
export type Options = Record<string, OptionSpec>;
export type ArgumentSpec = { name: string; says: string; optional?: true; many?: true };

type ValueOf<Spec extends OptionSpec> = Spec["kind"] extends "flag"
  ? boolean
  : Spec["kind"] extends "number"
    ? number | undefined
    : string | undefined;
export type Given<Named extends Options = Options> = {
  arguments: string[];
  options: { [Name in keyof Named]: ValueOf<Named[Name]> };
};

/** What every command gets, wherever it runs. */
export type Surroundings = {
  /** Where the person who typed stands. */
  directory: string;
  /** Ends when that person presses Ctrl-C, or is gone. */
  signal: AbortSignal;
  /** A line at once, for what takes its time. */
  tell(line: string): void;
  progress(state: Progress): void;
};

/** What the environment says; a wrong configuration is shown, too. */
export type NoDatabaseContext = Surroundings & { loaded: Loaded; settings: Setting[] };

/** What writes to databases that may not be migrated, and to whatever the configuration names. */
export type DatabaseContext = Surroundings & {
  config: Config;
  /** Of the open database, migrated or not; throws what kept it from being opened. */
  database(): Promise<Transaction<Database>>;
  /** Closes it, for what has to open it in its own way. */
  letGo(): Promise<void>;
  mac: Mac;
  backups: Backups;
  /** The running server does this itself: nobody else may move its files. */
  isServer: boolean;
  /** Writes into the audit log what the command line did, unless the use case has done so itself. */
  audit?(act: StaffAct, object: StaffObject, detail?: Record<string, string>): Promise<void>;
};

/** The whole product. */
export type AppContext = DatabaseContext & {
  product: Composition;
  now: () => Date;
  audit: NonNullable<DatabaseContext["audit"]>;
};

type Rooms = { desk: NoDatabaseContext; workbench: DatabaseContext; office: AppContext };

/** A command of the operator: typed arguments in, an answer out, no terminal in sight. */
export type Command<Room extends keyof Rooms = keyof Rooms, Named extends Options = Options> = {
  /** As typed, such as `users lock`. */
  name: string;
  /** One line. */
  says: string;
  /** What else is worth knowing. */
  more?: string;
  arguments: ArgumentSpec[];
  options: Named;
  /** As typed, without the program's name; each has to parse. */
  examples: [string, ...string[]];
  room: Room;
  /** It changes something: written into the audit log, as done by the command line. */
  changes: boolean;
  /** Asked before what cannot be undone. */
  asks?(given: Given<Named>): string | undefined;
  /** What is wrong about arguments that could be read. */
  refuses?(given: Given<Named>): string | undefined;
  run(room: Rooms[Room], given: Given<Named>): Promise<Answer>;
};

/** As the list of all commands holds it. */
// biome-ignore lint/suspicious/noExplicitAny: each command knows its own options; whoever holds them all does not.
export type AnyCommand = Command<any, any>;

export function command<Room extends keyof Rooms, const Named extends Options>(
  of: Omit<Command<Room, Named>, "arguments" | "options" | "changes"> &
    Partial<Pick<Command<Room, Named>, "arguments" | "options" | "changes">>,
): Command<Room, Named> {
  return { arguments: [], options: {} as Named, changes: false, ...of };
}
