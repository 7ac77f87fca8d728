import { integer, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { ImportProgress } from "../../ports.ts";
import { breachesSchema, bytes } from "./tables.ts";

/** Findings of operators' datasets: hashed addresses (SHA-1 or SHA-256 in lower-case hex) and their breaches. */
export const datasetTable = breachesSchema.table(
  "dataset",
  { hash: text("hash").notNull(), breachName: text("breach_name").notNull() },
  (table) => [primaryKey({ columns: [table.hash, table.breachName] })],
);

/** The same in blocks: concatenated hashes of one kind and bucket. Keyed by content, so that each is stored once. */
export const datasetBlockTable = breachesSchema.table(
  "dataset_block",
  {
    // The first 12 bits of the hash; 4096 is added for SHA-256.
    bucket: integer("bucket").notNull(),
    breachName: text("breach_name").notNull(),
    digest: bytes("digest").notNull(),
    hashes: bytes("hashes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bucket, table.breachName, table.digest] })],
);

/** Progress of an import, committed together with its data. */
export const importTable = breachesSchema.table("import", {
  id: text("id").primaryKey(),
  progress: jsonb("progress").$type<ImportProgress>().notNull(),
  leaseToken: uuid("lease_token"),
  leaseUntil: instant("lease_until"),
});
