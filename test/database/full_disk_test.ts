import { describe, expect, test } from "bun:test";
import { isDatabaseUnavailable } from "../../src/database/errors.ts";
import { saysDiskFull, whyNoStart } from "../../src/database/full_disk.ts";
import { type Connection, type Database, postgresDatabase } from "../../src/database/postgres.ts";

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });
const noSpace = coded('could not extend file "base/5/1": No space left on device', "53100");
const FULL = 'The disk of the data directory "/data" is full: free some space and start again';

describe("whyNoStart()", () => {
  test.each([
    ["an error of the file system", coded("ENOSPC: no space left on device, write", "ENOSPC"), false, FULL],
    ["PGlite's error without a message, on a full disk", { name: "ErrnoError", errno: 51 }, true, FULL],
    ["whatever PGlite says of what it could not write", new Error("unreachable"), true, FULL],
    ["any other error", new Error("It is in use"), false, "It is in use"],
    [
      "any other error without a message",
      { name: "ErrnoError", errno: 29 },
      false,
      'The data directory "/data" cannot be used (ErrnoError 29): check its contents, or restore a backup',
    ],
    [
      "nothing",
      undefined,
      false,
      'The data directory "/data" cannot be used (error): check its contents, or restore a backup',
    ],
  ])("%s is one sentence", (_, error, isFull, sentence) => {
    expect(whyNoStart(error, "/data", isFull)).toBe(sentence);
  });
});

describe("A database whose disk is full", () => {
  test("is an outage while it refuses changes, and for a moment afterwards", async () => {
    let failure: Error | undefined;
    const tx = { select: () => ({ from: async () => [{ now: "0" }] }) } as unknown as Database;
    const connection: Connection = {
      transaction: async (work) => {
        const result = await work(tx);
        if (failure) throw failure;
        return result;
      },
      yieldToRequests: () => undefined,
      close: async () => {},
    };
    const database = await postgresDatabase(connection, () => ({ publish: async () => {} }));
    const write = database.transactionOf((opened: Database) => opened);
    await write(async () => {});
    expect(database.isFull()).toBe(false);
    failure = new Error("Failed query", { cause: noSpace });
    expect(saysDiskFull(failure)).toBe(true);
    const refused = await write(async () => {}).catch((error: unknown) => error);
    expect([isDatabaseUnavailable(refused), database.isFull()]).toEqual([true, true]);
    failure = coded("duplicate key", "23505");
    expect(await write(async () => {}).catch((error: unknown) => error)).toBe(failure);
  });
});
