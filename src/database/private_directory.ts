import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const OTHERS = 0o077;
const STICKY = 0o1000;

function refusal(path: string, why: string, mend: string): Error {
  return new Error(`The data directory "${path}" ${why}: ${mend}`);
}

/** Removes the permissions of group and others; false where that is impossible. A file that has just disappeared is fine. */
function tightened(path: string): boolean {
  try {
    const { mode } = lstatSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

/**
 * Restricts the data directory and everything in it to its owner: it holds the database, the key and mails. Throws where that is
 * impossible. Symbolic links are not followed.
 */
export function keepPrivate(directory: string): void {
  const path = resolve(directory);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if ((found.mode & STICKY) !== 0 || path === "/")
    throw refusal(path, "is used for other things, too", "set DATA_DIR to a directory of its own");
  const entries = [path];
  if (found.isDirectory())
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) entries.push(join(entry.parentPath, entry.name));
  if (entries.every(tightened)) return;
  const user = process.getuid?.() ?? "";
  throw refusal(
    path,
    `can be read by other users of this machine, and user ${user} may not change that`,
    `run chown -R ${user} "${path}" && chmod -R go= "${path}"`,
  );
}
