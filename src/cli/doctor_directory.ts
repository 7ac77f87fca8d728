import { randomUUID } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, finding, ok, warn } from "./doctor_finding.ts";
import { bytes } from "./words.ts";

const [WARN_BYTES, FAIL_BYTES] = [1_000_000_000, 100_000_000];

export function writable(directory: string): Finding {
  const path = join(directory, `.doctor-${randomUUID()}`);
  try {
    writeFileSync(path, "doctor", { mode: 0o600, flag: "wx" });
    rmSync(path);
    return ok(`${directory} can be written to`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return fail(
      `${directory} cannot be written to (${code})`,
      "Give it to the user that runs the server, on a disk that is not full or read-only",
    );
  }
}

function space(directory: string): Finding {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  const state = free < FAIL_BYTES ? "fail" : free < WARN_BYTES ? "warn" : "ok";
  return finding(
    state,
    `${bytes(free)} are free there`,
    "Free some space: the database, mails and backups stop when the disk is full",
  );
}

function owner(directory: string): Finding {
  const { uid, mode } = statSync(directory);
  const mine = process.getuid?.();
  const rights = (mode & 0o777).toString(8);
  if (mine !== undefined && uid !== mine && mine !== 0)
    return fail(`It belongs to user ${uid}, not to ${mine}`, `Run chown -R ${mine} on it`);
  if ((mode & 0o007) !== 0) return warn(`Everyone on this machine can read it (mode ${rights})`, "Run chmod 700 on it");
  return ok(`It belongs to user ${uid}, mode ${rights}`);
}

/** Whether the current user can use the data directory. */
export async function checkDirectory({ config }: DatabaseContext): Promise<Finding[]> {
  const { dataDir, database, secret } = config;
  if (!existsSync(dataDir) && database.kind === "server" && secret.kind === "given")
    return [ok("The data is on the database server")];
  if (!existsSync(dataDir))
    return [
      fail(
        `There is no installation in ${dataDir}`,
        "Set DATA_DIR to its folder, or start the server once to create it",
      ),
    ];
  return [writable(dataDir), space(dataDir), owner(dataDir)];
}
