import type { Answer, Progress } from "./answer.ts";

/** The socket below the data directory through which a server with an embedded database accepts commands. */
export const CONTROL_SOCKET = "control.sock";
/** Upper limit for commands and answers, which are lists of addresses at most. */
export const LONGEST_LINE = 8 * 1024 * 1024;

/** A request by the command line, as one line of JSON. */
export type Asked = { version: string; typed: string[]; directory: string };
/** A message of the server, one line each; the answer is the last. */
export type Said = { tell: string } | { progress: Progress } | { answer: Answer };

/** Splits a stream of text into lines; throws when a line exceeds the limit. */
export function lineReader(take: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new Error("Cannot read a line that long");
    for (const part of parts) take(part);
  };
}
