import type { Answer, Progress } from "./answer.ts";

/** Where a running server with the embedded database takes commands; below the data directory. */
export const CONTROL_SOCKET = "control.sock";
/** A command and its answer are lists of addresses at most. */
export const LONGEST_LINE = 8 * 1024 * 1024;

/** What the command line asks, as one line of JSON. */
export type Asked = { version: string; typed: string[]; directory: string };
/** What the server says, one line each; an answer is the last. */
export type Said = { tell: string } | { progress: Progress } | { answer: Answer };

/** Cuts a stream of text into lines; throws on one that never ends. */
export function lineReader(take: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new Error("Cannot read a line that long");
    for (const part of parts) take(part);
  };
}
