import { LOG_LEVELS, type LogLevel } from "../config/log_level.ts";

export type Log = Record<LogLevel, (message: string, details?: Record<string, unknown>) => void>;

/** One JSON line per entry, with the context's facts. Entries must contain no secrets and no personal addresses. */
export function createLog(
  level: LogLevel,
  write: (line: string, level: LogLevel) => void,
  facts: () => Record<string, unknown> = () => ({}),
): Log {
  function at(entry: LogLevel) {
    if (LOG_LEVELS.indexOf(entry) < LOG_LEVELS.indexOf(level)) return () => {};
    return (message: string, details: Record<string, unknown> = {}) => {
      const all = { time: new Date().toISOString(), level: entry, message };
      write(JSON.stringify(Object.assign(all, facts(), details)), entry);
    };
  }
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * Buffers the lines of one tick and writes them together, which is cheaper. Serious entries flush the buffer immediately; call
 * `flush` before the process exits.
 */
export function gatheredLines(write: (lines: string) => void) {
  let waiting = "";

  function flush(): void {
    if (waiting !== "") write(waiting);
    waiting = "";
  }

  return {
    flush,
    write(line: string, level: LogLevel): void {
      if (waiting === "") setImmediate(flush);
      waiting += waiting === "" ? line : `\n${line}`;
      if (level === "warn" || level === "error") flush();
    },
  };
}

/** An error as log details: its message and causes, without a query's parameter values. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: withoutValues(error.cause.message) } : {};
  // The stack begins with the message, which may span several lines.
  const stack = error.stack?.replace(error.message, "");
  const calls = stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { error: withoutValues(error.message), ...cause, stack: calls?.slice(0, 5).join("\n") };
}

/** Drizzle puts the parameters of a failed query into its message. */
function withoutValues(message: string): string {
  return message.split("\nparams:")[0] ?? "";
}
