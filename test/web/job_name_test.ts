import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wordsOfJob } from "../../web/staff/job_words.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

test("every job has a translated name, and a job of another release keeps its raw name", () => {
  const adapters = adaptersOn(memoryGround());
  const some = {} as never;
  const gateways = { ...adapters.gateways, imports: some, logos: some, changePasswordPages: some, telegramBot: some };
  const jobs = composed({ ...adapters, gateways }).jobs.map(({ name }) => name);
  // One more is the process' own.
  const serve = readFileSync(join(import.meta.dirname, "../../src/serve.ts"), "utf8");
  const own = [...serve.matchAll(/\{ name: "([\w-]+)", everyMs/g)].map(([, name = ""]) => name);
  expect(own).toEqual(["job-runs"]);
  expect([...jobs, ...own].filter((name) => wordsOfJob(name) === undefined)).toEqual([]);
  expect(wordsOfJob("scan hibp")).toEqual({ id: "staff.job.scan", source: "hibp" });
  expect(wordsOfJob("constructor")).toBeUndefined();
});
