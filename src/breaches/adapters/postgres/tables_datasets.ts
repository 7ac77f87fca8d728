import { integer, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ImportProgress } from "../../ports.ts";
import { breachesSchema, bytes, instant } from "./tables.ts";

/** What an operator's own files say: hashed addresses (SHA-1 or SHA-256 in lower-case hex) and their breaches. */
export const datasetTable = breachesSchema.table(
  "dataset",
  { hash: text("hash").notNull(), breachName: text("breach_name").notNull() },
  (table) => [primaryKey({ columns: [table.hash, table.breachName] })],
);

/** The same, many at once: hashes of one kind that begin alike, one behind the other. By what it holds, so that it is stored once. */
export const datasetBlockTable = breachesSchema.table(
  "dataset_block",
  {
    // The first 12 bits; of SHA-256 4096 more.
    bucket: integer("bucket").notNull(),
    breachName: text("breach_name").notNull(),
    digest: bytes("digest").notNull(),
    hashes: bytes("hashes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bucket, table.breachName, table.digest] })],
);

/** How far a file has been read; written together with what was read. */
export const importTable = breachesSchema.table("import", {
  id: text("id").primaryKey(),
  progress: jsonb("progress").$type<ImportProgress>().notNull(),
  leaseToken: uuid("lease_token"),
  leaseUntil: instant("lease_until"),
});
