import type { Backups } from "../adapters.ts";
import type { Composition } from "../compose.ts";
import type { Config, Loaded } from "../config/config.ts";
import type { Setting } from "../config/settings.ts";
import type { Database } from "../database/postgres.ts";
import type { Mac } from "../shared/secrets.ts";
import type { StaffAct, StaffObject } from "../shared/staff.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Answer, Progress } from "./answer.ts";

/** Options of every command. */
export type GlobalOptions = { json: boolean; yes: boolean; quiet: boolean };

/** An option, without its leading `--`; a flag takes no value. */
export type OptionSpec =
  | { kind: "flag"; says: string }
  /** `value` is the placeholder in the help text, such as `text`. */
  | { kind: "text" | "number" | "day"; says: string; value: string; choices?: readonly string[] };
export type Options = Record<string, OptionSpec>;
type ArgumentSpec = { name: string; says: string; choices?: readonly string[]; optional?: true; many?: true };

type ValueOf<Spec extends OptionSpec> = Spec["kind"] extends "flag"
  ? boolean
  : Spec["kind"] extends "number"
    ? number | undefined
    : string | undefined;
export type Given<Named extends Options = Options> = {
  arguments: string[];
  options: { [Name in keyof Named]: ValueOf<Named[Name]> };
};

/** What every command gets, with or without a database. */
export type Surroundings = {
  /** The caller's working directory. */
  directory: string;
  /** Aborted when the caller presses Ctrl-C or disconnects. */
  signal: AbortSignal;
  /** Prints a line immediately, for commands that take a while. */
  tell(line: string): void;
  progress(state: Progress): void;
};

/** The configuration, which may be invalid: the command that shows it has to run then, too. */
export type NoDatabaseContext = Surroundings & { loaded: Loaded; settings: Setting[] };

/** For commands that work on databases that may not be migrated, and on anything that the configuration names. */
export type DatabaseContext = Surroundings & {
  config: Config;
  /** Opens the database, migrated or not; throws when that fails. */
  database(): Promise<Transaction<Database>>;
  /** Closes the database, for commands that have to open it themselves. */
  letGo(): Promise<void>;
  mac: Mac;
  backups: Backups;
  /** True in the server's process, which holds the lock on the data directory, so its files must not be moved. */
  isServer: boolean;
  /** Writes an audit entry by the command line, unless the use case writes its own. */
  audit?(act: StaffAct, object: StaffObject, detail?: Record<string, string>): Promise<void>;
};

/** The whole product. */
export type AppContext = DatabaseContext & {
  product: Composition;
  now: () => Date;
  audit: NonNullable<DatabaseContext["audit"]>;
};

type Rooms = { none: NoDatabaseContext; database: DatabaseContext; app: AppContext };

/** A command of the operator, independent of the terminal: parsed arguments in, an answer out. */
export type Command<Room extends keyof Rooms = keyof Rooms, Named extends Options = Options> = {
  /** As typed, such as `users lock`. */
  name: string;
  /** The heading in the list of all commands. */
  group?: string;
  /** A one-line summary. */
  says: string;
  /** Further explanation for the help text. */
  more?: string;
  arguments: ArgumentSpec[];
  options: Named;
  /** Arguments as typed, without the program's name. A test parses each. */
  examples: [string, ...string[]];
  room: Room;
  /** Whether it changes something, which is then audited as done by the command line. */
  changes: boolean;
  /** The confirmation question before something that cannot be undone. */
  asks?(given: Given<Named>): string | undefined;
  /** Validates the parsed arguments; returns an error message. */
  refuses?(given: Given<Named>): string | undefined;
  run(room: Rooms[Room], given: Given<Named>): Promise<Answer>;
};

/** A command with any options, as in the list of all commands. */
// biome-ignore lint/suspicious/noExplicitAny: each command knows its own options; whoever holds them all does not.
export type AnyCommand = Command<any, any>;

export function command<Room extends keyof Rooms, const Named extends Options>(
  of: Omit<Command<Room, Named>, "arguments" | "options" | "changes"> &
    Partial<Pick<Command<Room, Named>, "arguments" | "options" | "changes">>,
): Command<Room, Named> {
  return { arguments: [], options: {} as Named, changes: false, ...of };
}
