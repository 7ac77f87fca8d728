import { expect, test } from "bun:test";
import { isRead } from "../../src/database/reads.ts";

test.each([
  ["select 1", true],
  [" SELECT name\nfrom breach where name = $1", true],
  ["select * from alert for update", false],
  ["select * from alert\nfor\nno key update", false],
  ["SELECT * FROM alert FOR SHARE OF watch", false],
  ["select (select id from alert for key share)", false],
  ["select pg_advisory_xact_lock(1)", false],
  ["select pg_try_advisory_lock_shared(1)", false],
  ["select nextval('position')", false],
  ["select setval('position', 1)", false],
  ["select set_config('jit', 'off', true)", false],
  ["with gone as (delete from alert returning id) select id from gone", false],
  ["selection", false],
  ["insert into alert select 1", false],
  ["savepoint s1", false],
])("isRead(%j) is %p", (statement, expected) => {
  expect(isRead(statement)).toBe(expected);
});
