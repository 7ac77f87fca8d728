import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";
import { IS_NIGHTLY } from "../support/tier.ts";

const LOGS: Record<string, string> = {
  audit_events:
    "(id, at, account_id, event, device, detail) values (gen_random_uuid(), AT, ID, 'signed_in', '{}', '{}')",
  staff_acts:
    "(id, at, by, actor_id, act, object_kind, detail) values (gen_random_uuid(), AT, 'staff', ID, 'locked', 'account', '{}')",
};
const DATABASES: [string, () => Promise<PostgresDatabase>][] = [
  ...(IS_NIGHTLY ? [["pglite", emptyPglite] satisfies [string, unknown]] : []),
  ["postgres", emptyServer],
];

describe.each(DATABASES)("the append-only tables on %s", (_, open) => {
  describe.each(Object.entries(LOGS))("in identity.%s", (table, row) => {
    /** Entries of today, and of 13 months ago. */
    async function twoEntries() {
      const run = (await open()).transactionOf((tx: Database) => tx);
      const insert = (at: string) =>
        `insert into identity.${table} ${row.replace("AT", at).replace("ID", `'${crypto.randomUUID()}'`)}`;
      const act = (statement: string) => run((tx) => tx.execute(sql.raw(statement)));
      await act(insert("now()"));
      await act(insert("now() - interval '13 months'"));
      const rows = () =>
        run((tx) => rowsOf<Record<string, unknown>>(tx, sql.raw(`select * from identity.${table} order by at`)));
      return { act, rows };
    }

    test.each([
      ["changed", "update identity.TABLE set at = now()"],
      ["reassigned", "update identity.TABLE set id = gen_random_uuid()"],
      ["removed", "delete from identity.TABLE where at > now() - interval '11 months'"],
      ["swept away", "truncate identity.TABLE"],
    ])("cannot be %s by any statement", async (_way, statement) => {
      const { act, rows } = await twoEntries();
      const before = await rows();
      expect(before).toHaveLength(2);
      const refusal = await act(statement.replace("TABLE", table)).catch((error: Error) => String(error.cause));
      expect(refusal).toContain(`An entry of identity.${table} cannot be changed or removed`);
      expect(await rows()).toEqual(before);
    });

    test("can be deleted after a year, and a person can be anonymised", async () => {
      const { act, rows } = await twoEntries();
      const [, kept] = await rows();
      await act(`delete from identity.${table} where at < now() - interval '12 months'`);
      expect(await rows()).toEqual([kept ?? {}]);
      const person = table === "staff_acts" ? "actor_id" : "account_id";
      await act(`update identity.${table} set ${person} = null`);
      expect(await rows()).toEqual([{ ...kept, [person]: null }]);
    });
  });
});
