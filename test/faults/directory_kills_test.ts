import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cleared, folder } from "../backup/stage.ts";
import { directoryKills, listening, spawnWorker } from "./directory_kills.ts";

afterAll(cleared);

const namespaces = Bun.spawnSync(["unshare", "--pid", "--fork", "true"], { stderr: "ignore" }).exitCode === 0;
const PLACES = [["the same", false], ...(namespaces ? [["another", true] as const] : [])] as const;

describe("a data directory in use by a process", () => {
  test.each(PLACES)(
    "is refused immediately to a second one in %s PID namespace, naming the owner",
    async (_, apart) => {
      const directory = join(folder(), "data");
      const first = spawnWorker(directory);
      const { ready } = listening(first);
      await ready;
      const from = performance.now();
      const second = spawnWorker(directory, apart);
      const complaint = await new Response(second.stderr).text();
      expect(await second.exited).toBe(1);
      // 2 seconds, plus the start of Bun on a machine that runs all other tests.
      expect(performance.now() - from).toBeLessThan(10_000);
      expect(complaint).toContain(`in use by process ${first.pid}`);
      first.kill("SIGKILL");
      await first.exited;
    },
    60_000,
  );

  /** The full form: `KILLS=100 bun test/faults/directory_kills.ts`. */
  test("can be opened by the next one after kill -9, with every acknowledged row", async () => {
    const { acknowledged, lost } = await directoryKills(2, 5);
    expect(lost).toBe(0);
    expect(acknowledged).toBeGreaterThan(0);
  }, 120_000);
});
