import { afterEach, expect, test } from "bun:test";
import { POLICY } from "../../src/backup/after_restore.ts";
import { tablesOf } from "../../src/database/logical_dump.ts";
import { cleared, openNew } from "./stage.ts";

afterEach(cleared, 30_000);

test("the restore policy covers every table", async () => {
  const tables = await (await openNew("postgres")).unhurried((tx) => tablesOf(tx));
  expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(POLICY).toSorted());
});
