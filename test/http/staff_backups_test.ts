import { describe, expect, test } from "bun:test";
import type { BackupStatus } from "../../src/backup/schedule.ts";
import { accepted } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "../support/world.ts";

const ADMIN = "admin@example.com";

describe("The backups on the staff's pages", () => {
  const HOUR = DAY / 24;
  const scheduled = { scheduled: true, directory: "/data/backups", machine: "one" };
  const made = (at: Date) => ({ at, machine: "one", file: "/data/backups/a.backup", bytes: 1, rows: 1, seconds: 1 });

  test.each<
    [string, (now: number) => Partial<BackupStatus>, { state: string; hours: number | null; cause: string | null }]
  >([
    [
      "one that is made daily",
      (now) => ({ last: made(new Date(now - 5 * HOUR)) }),
      { state: "made", hours: 5, cause: null },
    ],
    ["none yet", (now) => ({ since: new Date(now - HOUR) }), { state: "waiting", hours: null, cause: null }],
    [
      "none in time",
      (now) => ({ since: new Date(now - 3 * DAY) }),
      { state: "overdue", hours: null, cause: "backup_overdue" },
    ],
    [
      "an old one",
      (now) => ({ last: made(new Date(now - 49 * HOUR)) }),
      { state: "overdue", hours: 49, cause: "backup_overdue" },
    ],
    [
      "a failed attempt",
      (now) => ({
        last: made(new Date(now - 25 * HOUR)),
        failure: { says: "EACCES /data/backups", at: new Date(now) },
      }),
      { state: "failed", hours: 25, cause: "backup" },
    ],
    [
      "none because they are off, whatever was before",
      (now) => ({ scheduled: false, last: made(new Date(now - 90 * DAY)), failure: { says: "x", at: new Date(now) } }),
      { state: "off", hours: 90 * 24, cause: null },
    ],
  ])("show %s", async (_, statusAt, { state, hours, cause }) => {
    const ground = memoryGround();
    const adapters = adaptersOn(ground);
    const now = ground.clock.now().getTime();
    const status = async () => ({ ...scheduled, ...statusAt(now) });
    const world = composed({ ...adapters, backups: { ...adapters.backups, status } });
    const admin = await signedUp(world, ADMIN);
    accepted(
      await world.identity.setStaff(accepted(await world.identity.accountNamed(ADMIN)).accountId, { staff: true }),
    );
    await settle(world);
    const lastAt = hours === null ? null : new Date(now - hours * HOUR).toISOString();
    const overview = await (await admin("GET", "/api/staff/overview")).json();
    expect(overview).toMatchObject({ backups: { state, lastAt } });
    const page = (await (await admin("GET", "/api/staff/settings")).json()) as {
      data: { name: string; cause: string }[];
    };
    expect(page).toMatchObject({ lastBackupAt: lastAt });
    expect(page.data.find(({ name }) => name === "backups")).toMatchObject({ cause });
    expect(JSON.stringify([overview, page])).not.toContain("EACCES");
  });
});
