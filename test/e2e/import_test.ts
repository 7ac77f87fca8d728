import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, removeDirectory, startProduct, temporaryDirectory } from "./product.ts";

const ROOT = join(import.meta.dirname, "../..");
const LINES = 40_000;
const dataDir = temporaryDirectory();
const file = join(dataDir, "people.ndjson");
const SOURCES = { BREACH_SOURCE: "bundled,dataset" };

afterAll(() => removeDirectory(dataDir));

function importDataset(...words: string[]) {
  return Bun.spawn([process.execPath, join(ROOT, "src/import_dataset.ts"), ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "pipe",
  });
}

const progress = () => {
  const [path] = [...new Bun.Glob("imports/*.progress.json").scanSync({ cwd: dataDir, absolute: true })];
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, "utf8")) as { lines: number; state: string });
};

describe("the command that imports a file", () => {
  test("says how to use it, and what it cannot use, with exit code 2", async () => {
    for (const words of [[], ["/no/such/file"], [ROOT], [import.meta.path, "--date", "2026-02-30"], ["--colour"]]) {
      const command = importDataset(...words);
      expect([words, await command.exited]).toEqual([words, 2]);
      expect(await new Response(command.stderr).text()).not.toBe("");
    }
  });

  test("goes on where it was when the server is killed half-way: nothing is lost, nothing is there twice", async () => {
    const people = Array.from({ length: LINES }, (_, number) => `{"email":"person${number}@example.org"}`);
    writeFileSync(file, people.join("\n"));
    const command = importDataset(file, "--breach", "Village Shop", "--domain", "shop.example");
    for (const [kill, part] of [0.2, 0.6].entries()) {
      const product = await startProduct(SOURCES, dataDir);
      await eventually(
        `line ${LINES * part} is read`,
        () => ((progress()?.lines ?? 0) >= LINES * part ? true : undefined),
        60_000,
      );
      expect([kill, progress()?.state]).toEqual([kill, "running"]);
      await product.kill();
    }
    const product = await startProduct(SOURCES, dataDir);
    expect(await command.exited).toBe(0);
    const text = await new Response(command.stdout).text();
    expect(text).toContain(`${LINES} lines read, ${LINES} new findings, 0 alerts raised, 0 bad lines skipped\nDone.`);
    await product.stop();
  }, 600_000);
});
