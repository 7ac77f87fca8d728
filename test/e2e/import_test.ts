import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, removeDirectory, startProduct, temporaryDirectory } from "./product.ts";

const ROOT = join(import.meta.dirname, "../..");
const LINES = 200_000;
const dataDir = temporaryDirectory();
const file = join(dataDir, "people.ndjson");
const SOURCES = { BREACH_SOURCE: "bundled,dataset" };

afterAll(() => removeDirectory(dataDir));

function importDataset(...words: string[]) {
  return Bun.spawn([process.execPath, join(ROOT, "src/breachbell.ts"), "import", ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, ...SOURCES },
    stdout: "pipe",
    stderr: "pipe",
  });
}

const progress = () => {
  const [path] = [...new Bun.Glob("imports/*.progress.json").scanSync({ cwd: dataDir, absolute: true })];
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, "utf8")) as { lines: number; state: string });
};

/** Waits until that much of the file is read, while it is being imported. */
const isRead = (part: number) =>
  eventually(
    `line ${LINES * part} is read`,
    () => (progress()?.state === "running" && (progress()?.lines ?? 0) >= LINES * part ? true : undefined),
    60_000,
  );

describe("the import command", () => {
  test("prints its usage, with exit code 2", async () => {
    for (const words of [[], ["people.csv", "--date", "2026-02-30"], ["people.csv", "--colour"]]) {
      const command = importDataset(...words);
      expect([words, await command.exited]).toEqual([words, 2]);
      expect(await new Response(command.stderr).text()).not.toBe("");
    }
  }, 60_000);

  test("resumes where it was when the server, or the command itself, is killed midway: nothing is lost or duplicated", async () => {
    const people = Array.from({ length: LINES }, (_, number) => `{"email":"person${number}@example.org"}`);
    writeFileSync(file, people.join("\n"));
    const words = [file, "--breach", "Village Shop", "--domain", "shop.example"];
    const former = await startProduct(SOURCES, dataDir);
    const handedOver = importDataset(...words);
    await isRead(0.2);
    await former.kill();
    // Whether it is done cannot be known then.
    expect(await handedOver.exited).toBe(3);
    expect(await new Response(handedOver.stderr).text()).toContain("ended before it had answered");
    const alone = importDataset(...words);
    await isRead(0.6);
    alone.kill("SIGKILL");
    await alone.exited;
    const product = await startProduct(SOURCES, dataDir);
    const last = importDataset(...words, "--json");
    expect(await last.exited).toBe(0);
    expect(await new Response(last.stdout).json()).toMatchObject({
      ok: true,
      command: "import",
      data: { state: "done", lines: LINES, added: LINES, raised: 0, bad: 0 },
    });
    await product.stop();
  }, 600_000);
});
