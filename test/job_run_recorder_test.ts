import { expect, test } from "bun:test";
import { type JobEnd, jobDiary } from "../src/runtime/job_run_recorder.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second));

/** A log whose writes wait until they are released or fail. */
function heldDiary() {
  let second = 0;
  const written: JobEnd[][] = [];
  const writes: { succeed(): void; fail(): void }[] = [];
  const diary = jobDiary(
    () => at(++second),
    (ends) =>
      new Promise<void>((resolve, reject) => {
        const succeed = () => resolve(void written.push(ends));
        writes.push({ succeed, fail: () => reject(new Error("The database is away")) });
      }),
  );
  return { diary, written, writes };
}

test("keeps a failure whose write fails although the job has succeeded meanwhile", async () => {
  const { diary, written, writes } = heldDiary();
  diary.ended("scan", true);
  const first = diary.flush();
  diary.ended("scan", false);
  writes[0]?.fail();
  await expect(first).rejects.toThrow("away");
  const second = diary.flush();
  writes[1]?.succeed();
  await second;
  expect(written).toEqual([[{ name: "scan", endedAt: at(2), failedAt: at(1) }]]);
});

test("keeps the newest of several failures, whichever write stores it", async () => {
  const { diary, written, writes } = heldDiary();
  diary.ended("scan", true);
  const first = diary.flush();
  diary.ended("scan", true);
  diary.ended("scan", false);
  writes[0]?.fail();
  await first.catch(() => {});
  const second = diary.flush();
  writes[1]?.succeed();
  await second;
  expect(written).toEqual([[{ name: "scan", endedAt: at(3), failedAt: at(2) }]]);
});

test("writes a failure and the success after it as one entry", async () => {
  const { diary, written, writes } = heldDiary();
  diary.ended("scan", true);
  diary.ended("scan", false);
  diary.ended("deliver", false);
  const flushed = diary.flush();
  writes[0]?.succeed();
  await flushed;
  expect(written).toEqual([
    [
      { name: "scan", endedAt: at(2), failedAt: at(1) },
      { name: "deliver", endedAt: at(3), failedAt: undefined },
    ],
  ]);
});
