import { hash } from "node:crypto";
import type { Mac } from "../shared/secrets.ts";

export const FORMAT = 1;
/** Length of the SHA-256 after the compressed part. */
export const SEAL_BYTES = 32;

/** A backup is a gzip stream followed by its SHA-256. It contains lines of JSON; a row is the list of its columns' texts. */
export type Header = {
  breachbell: "backup";
  format: number;
  product: string;
  madeAt: string;
  /** The schema version, as the hashes of its migrations. */
  migrations: { hash: string; at: number }[];
  /** Verifies that the secret is the one that encrypted the data. */
  check: { value: string; mac: string };
};
export type TableStart = { table: string; columns: string[] };
/** `sum` adds up the SHA-256 of every row, independent of their order. */
export type TableSum = { name: string; rows: number; sum: string };
export type Footer = { end: TableSum[] };

export type Progress = { table: string; rows: number; of?: number };
export type OnProgress = (progress: Progress) => void;

export type BackupReport = {
  file: string;
  bytes: number;
  rows: number;
  tables: { name: string; rows: number }[];
  madeAt: string;
  product: string;
  /** The number of its last migration; undefined: made by a later release. */
  schema: number;
  seconds: number;
};

/** Sums rows in any order. */
export function summer(): { add(row: string): void; total(): { rows: number; sum: string } } {
  let rows = 0;
  const parts = [0n, 0n, 0n, 0n];
  return {
    add(row) {
      rows += 1;
      const digest = hash("sha256", row, "buffer");
      for (let part = 0; part < 4; part++)
        parts[part] = BigInt.asUintN(64, (parts[part] ?? 0n) + digest.readBigUInt64BE(part * 8));
    },
    total: () => ({ rows, sum: parts.map((part) => part.toString(16).padStart(16, "0")).join("") }),
  };
}

export function secretCheck(mac: Mac, value: string): Header["check"] {
  return { value, mac: mac("backup", value) };
}

/** Rounded to a tenth of a second. */
export function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10;
}

const REFUSED = "BACKUP_REFUSED";
const NOT_EMPTY = "DATABASE_NOT_EMPTY";

/** Nothing was changed; the message tells the operator why. */
export function refused(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: REFUSED });
}

export function notEmpty(message: string): Error {
  return Object.assign(new Error(message), { code: NOT_EMPTY });
}

/** True when the operator may confirm that existing data shall be replaced. */
export function isNotEmpty(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === NOT_EMPTY;
}
