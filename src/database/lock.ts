import { dlopen, FFIType } from "bun:ffi";
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const LOCK_EXCLUSIVE_NONBLOCKING = 2 | 4;
const LIBRARIES =
  process.platform === "darwin"
    ? ["libSystem.B.dylib"]
    : ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

const IN_USE = "DIRECTORY_IN_USE";

/** True when another process holds the directory, which may be temporary. */
export function isDirectoryInUse(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === IN_USE;
}

function loadFlock(): (descriptor: number, operation: number) => number {
  for (const library of LIBRARIES) {
    try {
      return dlopen(library, { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } }).symbols.flock;
    } catch {
      // Try the next name of the C library.
    }
  }
  throw new Error(`Cannot lock the data directory: none of ${LIBRARIES.join(", ")} can be loaded on this system`);
}

/**
 * Takes the exclusive lock of a data directory and returns its release. PGlite itself has none, and two processes on
 * one directory lose each other's commits. The kernel frees the lock of a killed process, so there is no stale lock.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, "breachbell.lock");
  const descriptor = openSync(path, "a+", 0o600);
  if (loadFlock()(descriptor, LOCK_EXCLUSIVE_NONBLOCKING) !== 0) {
    closeSync(descriptor);
    const owner = readFileSync(path, "utf8").trim() || "another process";
    const message = `Cannot open the data directory "${directory}": it is in use by ${owner}`;
    throw Object.assign(new Error(message), { code: IN_USE });
  }
  ftruncateSync(descriptor);
  writeSync(descriptor, `process ${process.pid}, since ${new Date().toISOString()}\n`);
  return () => closeSync(descriptor);
}
