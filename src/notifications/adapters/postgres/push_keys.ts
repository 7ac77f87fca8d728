import type { Database } from "../../../database/postgres.ts";
import type { PushKeyRepository } from "../../webpush/webpush_ports.ts";
import { pushKeyTable } from "./tables.ts";

export function postgresPushKeys(tx: Database): PushKeyRepository {
  return {
    async find() {
      const { publicKey, sealed } = pushKeyTable;
      const [row] = await tx.select({ publicKey, sealed }).from(pushKeyTable);
      return row;
    },
    async add(key) {
      await tx.insert(pushKeyTable).values(key).onConflictDoNothing();
    },
  };
}
