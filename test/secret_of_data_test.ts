import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "../src/database/postgres.ts";
import { secretOfData } from "../src/runtime/secret.ts";
import type { Transaction } from "../src/shared/transaction.ts";
import { freePort } from "./support/ports.ts";
import { emptyDatabase } from "./support/postgres.ts";

const [OURS, OTHER] = ["our secret, which is long enough to be one", "another one, which is long enough as well"];
const root = mkdtempSync(join(tmpdir(), "breachbell-secret-"));
afterAll(() => rmSync(root, { recursive: true }));

let plain: Transaction<Database>;
let count = 0;
beforeEach(async () => {
  plain = (await emptyDatabase()).transactionOf((tx: Database) => tx);
});

/** A process with a data directory of its own. */
function place(secret?: string) {
  count += 1;
  const given = secret === undefined ? ({ kind: "file" } as const) : ({ kind: "given", value: secret } as const);
  return { dataDir: join(root, String(count)), secret: given };
}

const addPerson = () =>
  plain((tx) =>
    tx.execute(sql`insert into identity.users (id, email, first_name, last_name, password_hash, language, created_at)
      values (gen_random_uuid(), 'ada@example.com', 'Ada', 'Meyer', 'x', 'en', now())`),
  );

describe("secretOfData()", () => {
  test("generates a secret for an empty database, and finds it again", async () => {
    const first = place();
    const secret = await secretOfData(first, plain);
    expect(readFileSync(join(first.dataDir, "secret.key"), "utf8")).toBe(`${secret}\n`);
    expect(await secretOfData(first, plain)).toBe(secret);
    expect(await secretOfData(place(secret), plain)).toBe(secret);
  });

  test("refuses another secret, and says what to restore", async () => {
    await secretOfData(place(OURS), plain);
    await expect(secretOfData(place(OTHER), plain)).rejects.toThrow(
      "The database belongs to another secret: set APP_SECRET to its former value",
    );
    expect(await secretOfData(place(OURS), plain)).toBe(OURS);
  });

  test("makes none beside existing data", async () => {
    const lost = place();
    await secretOfData(place(OURS), plain);
    await expect(secretOfData(lost, plain)).rejects.toThrow(
      `The database has data, but its secret is missing: restore "${lost.dataDir}/secret.key" from your copy, or set APP_SECRET to its content`,
    );
    expect(existsSync(lost.dataDir)).toBe(false);
  });

  test("makes none beside the data of an earlier release, and records the one that is given", async () => {
    await addPerson();
    await expect(secretOfData(place(), plain)).rejects.toThrow("its secret is missing");
    await secretOfData(place(OURS), plain);
    await expect(secretOfData(place(OTHER), plain)).rejects.toThrow("belongs to another secret");
  });

  test("of processes that start at the same time with different secrets, one works", async () => {
    const outcomes = await Promise.allSettled([OURS, OTHER].map((secret) => secretOfData(place(secret), plain)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

test("the server does not start with another secret, and shows neither", async () => {
  const dataDir = join(root, "server");
  async function ended(secret: string) {
    const env = { PATH: process.env.PATH ?? "", PORT: String(await freePort()), DATA_DIR: dataDir, APP_SECRET: secret };
    const running = Bun.spawn([process.execPath, "--no-env-file", "src/main.ts"], {
      cwd: join(import.meta.dirname, ".."),
      env,
      stdout: "pipe",
      stderr: "pipe",
    });
    let output = "";
    for await (const text of running.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (text.includes("is running")) running.kill("SIGTERM");
    }
    return { code: await running.exited, output: output + (await new Response(running.stderr).text()) };
  }
  const first = await ended(OURS);
  const other = await ended(OTHER);
  expect([first.code, other.code]).toEqual([0, 1]);
  expect(other.output).toBe(
    "Breachbell cannot start: The database belongs to another secret: set APP_SECRET to its former value\n",
  );
}, 60_000);
