import { statfsSync } from "node:fs";
import { sqlState } from "./errors.ts";

/** Postgres needs this much for the next part of its write-ahead log. */
const LEAST_BYTES = 16 * 1024 * 1024;

/** Whether the disk of this directory has too little space left to write. False where that cannot be found out. */
export function isDiskFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < LEAST_BYTES;
  } catch {
    return false;
  }
}

/** Whether a write failed for lack of space, on this machine or at the database server. */
export function saysDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ("code" in at && at.code === "ENOSPC") return true;
  return sqlState(error) === "53100";
}

/**
 * The sentence for an error that prevents the start. PGlite's have no message when a file cannot be written, and say anything
 * when what it wrote is incomplete, so the disk is looked at.
 */
export function whyNoStart(error: unknown, directory: string, isFull = isDiskFull(directory)): string {
  if (isFull || (error instanceof Error && "code" in error && error.code === "ENOSPC"))
    return `The disk of the data directory "${directory}" is full: free some space and start again`;
  if (error instanceof Error && error.message !== "") return error.message;
  const { name = "error", errno } = (error ?? {}) as { name?: string; errno?: number };
  return `The data directory "${directory}" cannot be used (${name}${errno === undefined ? "" : ` ${errno}`}): check its contents, or restore a backup`;
}
