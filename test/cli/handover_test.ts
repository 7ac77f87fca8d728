import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { handOver } from "../../src/cli/control_client.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";

const ROOT = join(import.meta.dirname, "../..");
const dataDir = temporaryDirectory();
const file = join(dataDir, "people.ndjson");
const SOURCES = { BREACH_SOURCE: "bundled,dataset" };
/** Enough to be still in progress when the next command comes, even on a fast machine. */
const MANY = 300_000;
const socket = join(dataDir, "control.sock");
let product: Product;

/** The command line as run from a shell script: without a terminal. */
function command(words: string[], env: Record<string, string> = {}) {
  const running = Bun.spawn([process.execPath, "src/breachbell.ts", ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", DATA_DIR: dataDir, ...SOURCES, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = { out: "", error: "" };
  async function listen(to: "out" | "error", stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) said[to] += decoder.decode(chunk, { stream: true });
  }
  const ended = (async () => {
    await Promise.all([listen("out", running.stdout), listen("error", running.stderr)]);
    return { code: await running.exited, ...said };
  })();
  return { running, ended, said };
}
const run = (...words: string[]) => command(words).ended;
const json = async (...words: string[]) =>
  JSON.parse((await run(...words, "--json")).out) as { ok: boolean; data: unknown };

const requests = () =>
  [...new Bun.Glob("imports/*.json").scanSync({ cwd: dataDir })].filter((name) => !name.includes("progress"));

beforeAll(async () => {
  product = await startProduct(SOURCES, dataDir);
}, 60_000);
afterAll(async () => {
  await product.kill();
  removeDirectory(dataDir);
}, 60_000);

describe("the command line on the embedded database", () => {
  test("passes its commands to the running server: several concurrently, each with its own response", async () => {
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const [on, users, restore] = await Promise.all([
      ...[json("maintenance", "status"), json("users"), json("restore", "/no/such/file")],
    ]);
    expect(restore).toMatchObject({ ok: false, error: { code: "SERVER_RUNNING" } });
    expect(on).toMatchObject({ ok: true, command: "maintenance status", data: { on: false } });
    expect(users).toMatchObject({ ok: true, data: { accounts: [], isCut: false } });
  }, 60_000);

  test("starts and ends maintenance mode in the running server, which logs it", async () => {
    expect((await run("maintenance", "on", "--until", "30m")).code).toBe(0);
    await eventually("the page says so", async () =>
      (await fetch(`${product.url}/en/login`)).status === 503 ? true : undefined,
    );
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    expect((await run("maintenance", "off", "--quiet")).out).toBe("");
    await eventually("it works again", async () =>
      (await fetch(`${product.url}/en/login`)).status === 200 ? true : undefined,
    );
  }, 60_000);

  test("Ctrl-C cancels an import in the running server, which continues from there later", async () => {
    writeFileSync(file, Array.from({ length: MANY }, (_, number) => `{"email":"p${number}@example.org"}`).join("\n"));
    const importing = command(["import", file, "--breach", "Village Shop"]);
    const progress = () => [...new Bun.Glob("imports/*.progress.json").scanSync({ cwd: dataDir, absolute: true })][0];
    await eventually("it has begun", () => progress());
    importing.running.kill("SIGINT");
    const { code } = await importing.ended;
    expect(code).toBe(130);
    await eventually("the server has stopped it", async () => requests().length === 0 || undefined);
  }, 60_000);

  test("maintenance pauses a running import, which continues automatically when it ends", async () => {
    const people = Array.from({ length: MANY }, (_, number) => `{"email":"q${number}@example.org"}`);
    writeFileSync(file, people.join("\n"));
    const importing = command(["import", file, "--breach", "Village Shop"]);
    // The previous import may still be ending in the server: this request's id says which one is meant.
    const progress = await eventually("it is asked for", () => requests()[0]?.replace(/json$/, "progress.json"));
    const lines = () => {
      const path = join(dataDir, progress);
      return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { lines: number }).lines : 0;
    };
    await eventually("it has begun", () => lines() > 0 || undefined);
    // Without a command line, which may take as long to start as the import to end.
    const quiet = { directory: dataDir, signal: new AbortController().signal, tell() {}, progress() {} };
    expect(await handOver(dataDir, ["maintenance", "on"], quiet)).toMatchObject({ code: 0 });
    const hasSaid = (words: string) => `${importing.said.out}${importing.said.error}`.includes(words) || undefined;
    await eventually("it waits", () => hasSaid("the import waits until it is over"));
    expect(lines()).toBeLessThan(MANY);
    expect(await json("import", file)).toMatchObject({ ok: false, error: { code: "MAINTENANCE" } });
    expect((await run("maintenance", "off")).code).toBe(0);
    const { code, out, error } = await importing.ended;
    expect([code, lines()]).toEqual([0, MANY]);
    expect(out + error).toContain("the import goes on");
  }, 120_000);

  test("two command lines without a server run one after the other, and the next server takes over", async () => {
    await product.kill();
    // The socket of the killed server is still there, but unused.
    expect(existsSync(socket)).toBe(true);
    const both = await Promise.all([json("maintenance", "status"), json("migrate", "status")]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    product = await startProduct(SOURCES, dataDir);
    expect(await json("users")).toMatchObject({ ok: true });
    await product.stop();
    expect(existsSync(socket)).toBe(false);
  }, 120_000);
});
