import { constants, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { formatWithOptions } from "node:util";

/** Writes without blocking. Returns a promise while the reader is not reading; throws or rejects when the text is lost. */
export type Write = (text: string) => undefined | Promise<unknown>;

const LIMIT_BYTES = 256 * 1024;
const TERMINAL_RETRY_MS = 100;

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/**
 * Non-blocking output with a bounded buffer. What the reader does not read is kept up to `limitBytes`; beyond that, lines are
 * dropped and counted, and the count is written when the reader reads again.
 */
export function boundedOutput(write: Write, { limitBytes = LIMIT_BYTES } = {}) {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let underWay: Promise<unknown> | undefined;
  let dropped = 0;
  let untold = 0;

  function drop(text: string): void {
    dropped += linesIn(text);
    untold += linesIn(text);
  }

  function noted(text: string): string {
    const message = "Lines of the log were dropped, because its reader did not take them";
    return `${text}${JSON.stringify({ time: new Date().toISOString(), level: "warn", message, lines: untold })}\n`;
  }

  function put(text: string): void {
    const told = untold;
    try {
      const pending = write(told > 0 ? noted(text) : text);
      untold -= told;
      if (pending === undefined) return;
      underWay = pending
        .catch(() => {
          untold += told;
          drop(text);
        })
        .finally(next);
    } catch {
      untold = told;
      drop(text);
    }
  }

  function next(): void {
    underWay = undefined;
    const text = waiting.join("");
    waiting = [];
    waitingBytes = 0;
    if (text !== "" || untold > 0) put(text);
  }

  return {
    write(lines: string): void {
      const text = `${lines}\n`;
      const bytes = Buffer.byteLength(text);
      if (underWay === undefined) put(text);
      else if (waitingBytes + bytes > limitBytes) drop(text);
      else {
        waiting.push(text);
        waitingBytes += bytes;
      }
    },
    dropped: () => dropped,
    /** Resolves once the reader has consumed all output. */
    async taken(): Promise<void> {
      while (underWay !== undefined) await underWay;
    },
  };
}

export type Output = ReturnType<typeof boundedOutput>;

/**
 * A terminal can be stopped by a key (XOFF), which would block Bun's own writer. Reopened, it can be written in non-blocking
 * mode.
 */
function terminalWriter(fd: number): Write {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  const own = openSync(`/dev/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);

  /** Writes what the terminal accepts and returns the rest. */
  function attempt(bytes: Buffer): Buffer {
    try {
      return bytes.subarray(writeSync(own, bytes));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") return bytes;
      throw error;
    }
  }

  return (text) => {
    let left = attempt(Buffer.from(text));
    if (left.length === 0) return undefined;
    return (async () => {
      while (left.length > 0) {
        await Bun.sleep(TERMINAL_RETRY_MS);
        left = attempt(left);
      }
    })();
  };
}

/** Bun's writer of pipes, sockets and files. */
function streamWriter(fd: number): Write {
  const sink = Bun.file(fd).writer();
  return (text) => {
    // Both answer with a promise while the reader does not read.
    const pending = [sink.write(text), sink.flush()].filter((each) => each instanceof Promise);
    return pending.length === 0 ? undefined : Promise.all(pending);
  };
}

/** The process's standard output (1) or standard error (2). */
export function outputOf(fd: 1 | 2): Output {
  return boundedOutput(isatty(fd) ? terminalWriter(fd) : streamWriter(fd));
}

/** Libraries and our own announcements write to the console, which blocks where it is not replaced. */
export function replaceConsole(out: Output, error: Output): void {
  const to =
    (output: Output) =>
    (...values: unknown[]) =>
      output.write(formatWithOptions({}, ...values));
  for (const name of ["log", "info", "debug"] as const) console[name] = to(out);
  for (const name of ["warn", "error", "trace"] as const) console[name] = to(error);
}
