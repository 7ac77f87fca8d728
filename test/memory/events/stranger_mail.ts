import type { StrangerMailRepository, StrangerMailRow } from "../../../src/shared/stranger_mail.ts";
import type { MemoryTables } from "../database.ts";

export function memoryStrangerMail(tables: MemoryTables): StrangerMailRepository {
  const rows = tables<StrangerMailRow>("events.stranger_mail");
  const isSame = (one: string | undefined, other: string | undefined) => one !== undefined && one === other;
  return {
    // In-memory transactions are serialised anyway.
    lock: async () => {},
    list: async ({ mailboxes, asker, network }, since) =>
      rows.filter(
        (row) =>
          row.at > since &&
          (mailboxes.includes(row.mailbox) || isSame(row.asker, asker) || isSame(row.network, network)),
      ),
    async add(mail) {
      rows.set(crypto.randomUUID(), mail);
    },
    async removeClaimed(mailbox) {
      rows.removeWhere((row) => row.claimed && row.mailbox === mailbox);
    },
    async removeBefore(before) {
      rows.removeWhere(({ at }) => at < before);
    },
  };
}
