import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { openDatabase } from "../../src/database/open.ts";

const dataDir = mkdtempSync(join(tmpdir(), "breachbell-seed-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function seed(env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, "--no-env-file", "src/build/seed.ts", "--people", "8"],
    {
      cwd: join(import.meta.dirname, "../.."),
      env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, ...env },
    },
  );
  return { exitCode, said: `${stdout}${stderr}`.trim() };
}

async function counted(query: string): Promise<number> {
  const database = await openDatabase({ database: { kind: "embedded" }, dataDir }, undefined);
  const [row] = await database.unhurried((tx) => rowsOf<{ count: number }>(tx, sql.raw(query)));
  await database.close();
  return row?.count ?? 0;
}
const count = "select count(*)::integer as count from";

test("an empty installation is filled with families, a year of alerts and their messages, and no other is touched", async () => {
  expect(seed({ NODE_ENV: "production" }).exitCode).not.toBe(0);
  const { exitCode, said } = seed();
  expect({ exitCode, said: said.split("\n").at(-1) }).toEqual({
    exitCode: 0,
    said: expect.stringMatching(/^8 accounts in \d+ s\. Log in as \S+@example\.com with the password \S+$/),
  });
  expect(await counted(`${count} identity.users where verified_at is not null`)).toBe(8);
  // Each their own, six of the families, and two requests to friends.
  expect(await counted(`${count} tracking.association`)).toBeGreaterThan(10);
  for (const state of ["pending", "handled"])
    expect(await counted(`${count} breaches.alert where state = '${state}'`)).toBeGreaterThan(8);
  expect(await counted(`${count} breaches.alert where raised_at < now() - interval '200 days'`)).toBeGreaterThan(0);
  expect(await counted(`${count} notifications.delivery where state = 'sent'`)).toBeGreaterThan(20);
  expect(await counted(`${count} notifications.delivery where state in ('due', 'sending')`)).toBe(0);
  const again = seed();
  expect(again.exitCode).toBe(2);
  expect(again.said).toContain("There are accounts already");
  expect(await counted(`${count} identity.users`)).toBe(8);
}, 120_000);
