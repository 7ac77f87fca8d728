import { createOperations, type OperationsDeps } from "../../src/operations/mod.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import type { MemoryDatabase } from "../memory/database.ts";
import { memoryOperations } from "../memory/operations/store.ts";

/** The module operations on a database in memory, with its neighbours as far as a test needs them. */
export function operationsOn(
  database: MemoryDatabase,
  { now, ...more }: Pick<OperationsDeps, "now"> & Partial<OperationsDeps>,
) {
  return createOperations({
    transaction: database.transactionOf(memoryOperations),
    clinic: { look: async () => [] },
    now,
    newId: () => Bun.randomUUIDv7(),
    hashToken,
    goneAccounts: { of: async () => [] },
    alertFacts: { of: async () => [] },
    trackedAddresses: { of: async () => new Map() },
    sinks: [],
    ...more,
  });
}
