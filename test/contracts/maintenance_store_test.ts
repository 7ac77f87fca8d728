import { describe, expect, test } from "bun:test";
import { postgresOperations } from "../../src/operations/adapters/postgres/store.ts";
import { memoryOperations } from "../memory/operations/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1) + minutes * 60_000);

describe.each(eachDatabase(memoryOperations, postgresOperations))(
  "OperationsStore's maintenance mode on %s",
  (_, open) => {
    test("there is at most one maintenance: the last message counts, and it ends once", async () => {
      const { transaction } = await open();
      expect(await transaction(({ maintenance }) => maintenance.find())).toBeUndefined();
      await transaction(({ maintenance }) => maintenance.set({ since: at(0), until: at(30), message: "Moving" }));
      await transaction(({ maintenance }) => maintenance.set({ since: at(0), until: undefined, message: undefined }));
      const found = await transaction(({ maintenance }) => maintenance.find());
      expect(found).toEqual({ since: at(0), until: undefined, message: undefined });
      expect(await transaction(({ maintenance }) => maintenance.clear())).toBe(true);
      expect(await transaction(({ maintenance }) => maintenance.clear())).toBe(false);
    });

    test("a rolled back transaction leaves no maintenance", async () => {
      const { transaction } = await open();
      const failing = transaction(async ({ maintenance }) => {
        await maintenance.set({ since: at(0), until: undefined, message: undefined });
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await transaction(({ maintenance }) => maintenance.find())).toBeUndefined();
    });

    test("a job's last end and last failure are the latest, whichever process writes last", async () => {
      const { transaction } = await open();
      const note = (endedAt: Date, failedAt?: Date) =>
        transaction(({ jobRuns }) => jobRuns.note([{ name: "deliver", endedAt, failedAt }]));
      await transaction(({ jobRuns }) => jobRuns.note([]));
      await note(at(5), at(5));
      await note(at(3));
      await note(at(7));
      await transaction(({ jobRuns }) => jobRuns.note([{ name: "clock", endedAt: at(1), failedAt: undefined }]));
      expect(await transaction(({ jobRuns }) => jobRuns.list())).toEqual([
        { name: "clock", endedAt: at(1), failedAt: undefined },
        { name: "deliver", endedAt: at(7), failedAt: at(5) },
      ]);
    });
  },
);
