import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/config.ts";
import { settingsOf } from "../config/settings.ts";
import { isDirectoryInUse } from "../database/lock.ts";
import { type Answer, type ExitCode, failed, mistyped, unreachable } from "./answer.ts";
import type { AnyCommand, AppContext, DatabaseContext, Given, Surroundings } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { handOver } from "./control_client.ts";
import { answerOf, perform } from "./execute.ts";
import { PROGRAM, parse } from "./parse.ts";
import { type Opened, openAppContext, openDatabaseContext } from "./rooms.ts";
import { display, type Terminal } from "./terminal.ts";

/** The environment of a command line, replaced in tests. */
export type World = {
  typed: string[];
  environment: Record<string, string | undefined>;
  readFile: (path: string) => string;
  directory: string;
  terminal: Terminal;
  /** Asks for confirmation; undefined without a terminal. */
  ask: ((question: string) => Promise<boolean>) | undefined;
  signal: AbortSignal;
};

type Task = { command: AnyCommand; given: Given; typed: string[] };

const LOOK_EVERY_MS = 250;
/** Within this time, a starting server or another command line either releases the database or accepts commands. */
const PATIENCE_MS = 15_000;

/** Runs the command in this process, which opens the database itself. */
async function runHere({ command, given }: Task, config: Config, surroundings: Surroundings): Promise<Answer> {
  const opened: Opened<DatabaseContext | AppContext> =
    command.room === "database"
      ? openDatabaseContext(config, surroundings)
      : await openAppContext(config, surroundings);
  try {
    // Another process may still release the directory; all other errors are the command's to report.
    if (config.database.kind === "embedded")
      await opened.room.database().catch((error) => {
        if (isDirectoryInUse(error)) throw error;
      });
    const answer = await perform(command, given, opened.room);
    // Without jobs in this process, events are dispatched here.
    if (command.changes && "product" in opened.room) await opened.room.product.dispatcher.drain();
    return answer;
  } finally {
    await opened.close();
  }
}

/** Runs the command in the server that holds the embedded database, or here if the database is free. */
async function runEmbedded(task: Task, config: Config, surroundings: Surroundings): Promise<Answer> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await handOver(config.dataDir, task.typed, surroundings);
    if (answer) return answer;
    try {
      return await runHere(task, config, surroundings);
    } catch (error) {
      if (!isDirectoryInUse(error)) throw error;
      if (performance.now() > until || surroundings.signal.aborted)
        return unreachable("DATABASE_IN_USE", `${error.message}, which takes no commands`);
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

async function answerTo(task: Task, world: World, surroundings: Surroundings): Promise<Answer> {
  const loaded = loadConfig(world.environment, world.readFile);
  const { command, given } = task;
  if (command.room === "none") {
    const settings = settingsOf(world.environment, loaded.ok ? loaded.config : undefined);
    return perform(command, given, { ...surroundings, loaded, settings } as never);
  }
  if (!loaded.ok) {
    const shown = loaded.problems.map((problem) => ({ kind: "text" as const, text: `  - ${problem}` }));
    return failed("CONFIGURATION", "The configuration has to be fixed first", {
      data: { problems: loaded.problems },
      shown,
    });
  }
  const { config } = loaded;
  try {
    return config.database.kind === "embedded"
      ? await runEmbedded(task, config, surroundings)
      : await runHere(task, config, surroundings);
  } catch (error) {
    // Nothing was started: the database could not be reached.
    const { error: reason } = answerOf(error);
    return unreachable("DATABASE_UNREACHABLE", reason?.message ?? "The database cannot be opened");
  }
}

/** Runs a command line, from its arguments to the exit code. */
export async function runCli(world: World): Promise<ExitCode> {
  const { typed, terminal, signal, directory, ask } = world;
  const parsed = parse(COMMANDS, typed, terminal);
  if (parsed.kind === "help") {
    terminal.out(`${parsed.text}\n`);
    return 0;
  }
  const shown = display(terminal, parsed.global);
  if (parsed.kind === "wrong") {
    const says = parsed.says.replace(/[.?]?$/, (end) => end || ".");
    shown.end(parsed.topic, mistyped(`${says} More: ${`${PROGRAM} help ${parsed.topic}`.trimEnd()}`));
    return 2;
  }
  const { command, given, global } = parsed;
  const question = global.yes ? undefined : command.asks?.(given);
  if (question !== undefined) {
    const refusal = ask === undefined || global.json;
    if (refusal) {
      shown.end(command.name, mistyped(`${question} Nobody can be asked here: say it with --yes`));
      return 2;
    }
    if (!(await ask(question))) {
      shown.end(command.name, failed("NOT_CONFIRMED", "Nothing was done"));
      return 1;
    }
  }
  const surroundings = { directory, signal, tell: shown.tell, progress: shown.progress };
  const answer = await answerTo({ command, given, typed }, world, surroundings);
  shown.end(command.name, answer);
  return answer.code;
}

/** Runs a command on behalf of the command line, in the server. */
export async function runForServer(typed: string[], room: AppContext): Promise<Answer> {
  const parsed = parse(COMMANDS, typed);
  if (parsed.kind !== "run" || parsed.command.room === "none")
    return mistyped("This is no command for the running server");
  return perform(parsed.command, parsed.given, room);
}
