import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { timeOf } from "../../src/backup/schedule.ts";
import { backupsOf } from "../../src/runtime/backups.ts";
import { fillEveryTable } from "../support/filled.ts";
import { cleared, folder, openNew, SECRET, sumsOf } from "./stage.ts";

afterEach(cleared, 30_000);

/** A database with rows, and a pair of keys of which the installation has the public one. */
async function installation() {
  const dataDir = folder();
  const directory = join(dataDir, "backups");
  const key = await generateX25519Identity();
  const database = await openNew("postgres");
  await database.unhurried((tx) => fillEveryTable(tx, 3));
  const backup = { directory, keep: { days: 7, weeks: 4 }, atMinute: 195, recipient: await identityToRecipient(key) };
  const secret = { kind: "given", value: SECRET } as const;
  const config = { dataDir, database: { kind: "embedded" } as const, secret, backup };
  const identity = join(folder(), "key.txt");
  writeFileSync(identity, `# created: 2026-11-27\n# public key: ${backup.recipient}\n${key}\n`);
  const backups = backupsOf(config, database);
  const { file } = await backups.backupTo(undefined);
  return { dataDir, directory, database, backups, file, identity };
}

describe("an encrypted backup", () => {
  test("is nowhere in clear, and counts as a backup of its time", async () => {
    const { dataDir, directory, file, backups } = await installation();
    expect(readFileSync(file).subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    expect(timeOf(file.slice(directory.length + 1))).toBeDate();
    expect(readdirSync(dataDir)).toEqual(["backups"]);
    expect(readdirSync(directory)).toHaveLength(1);
    await expect(backups.verifyBackup(file)).rejects.toThrow(/it is encrypted; .*--identity/);
  });

  test("is verified and restored with the private key, and leaves nothing in clear", async () => {
    const { dataDir, database, backups, file, identity } = await installation();
    const { rows } = await backups.verifyBackup(file, { identity });
    const before = await sumsOf(database);
    expect(rows).toBe(before.reduce((sum, table) => sum + table.rows, 0));
    const other = await openNew("postgres");
    const elsewhere = backupsOf(
      {
        dataDir,
        database: { kind: "embedded" },
        secret: { kind: "given", value: SECRET },
        backup: { directory: "", keep: { days: 1, weeks: 1 }, atMinute: undefined, recipient: undefined },
      },
      other,
    );
    expect(await elsewhere.restoreFrom(file, { identity })).toMatchObject({ rows });
    expect(readdirSync(dataDir)).toEqual(["backups"]);
  });

  test("is refused with another key, without one, and when a byte is wrong", async () => {
    const { dataDir, backups, file, identity } = await installation();
    const refused = (path: string, key: string) =>
      backups.verifyBackup(path, { identity: key }).then(
        () => "accepted",
        (error) => error.code === "BACKUP_REFUSED",
      );
    const other = join(folder(), "other.txt");
    writeFileSync(other, await generateX25519Identity());
    const damaged = join(folder(), "damaged.backup.age");
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 1, bytes.length - 40);
    writeFileSync(damaged, bytes);
    const empty = join(folder(), "empty.txt");
    writeFileSync(empty, "nothing");
    expect(await refused(file, other)).toBe(true);
    expect(await refused(file, empty)).toBe(true);
    expect(await refused(file, join(folder(), "missing.txt"))).toBe(true);
    expect(await refused(damaged, identity)).toBe(true);
    expect(readdirSync(dataDir)).toEqual(["backups"]);
  });
});
