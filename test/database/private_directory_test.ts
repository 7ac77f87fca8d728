import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/database/open.ts";
import { keepPrivate } from "../../src/database/private_directory.ts";

let root = "";
const data = () => join(root, "data");
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "breachbell-private-"));
  mkdirSync(join(data(), "pgdata/base"), { recursive: true });
  for (const [name, mode] of [
    ["secret.key", 0o644],
    ["pgdata/base/1", 0o666],
    ["run.sh", 0o755],
  ] as const) {
    writeFileSync(join(data(), name), "secret");
    chmodSync(join(data(), name), mode);
  }
  for (const name of ["", "pgdata", "pgdata/base"]) chmodSync(join(data(), name), 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

describe("keepPrivate()", () => {
  test("restricts an existing directory and its contents to its owner", () => {
    keepPrivate(data());
    for (const name of ["", "pgdata", "pgdata/base", "run.sh"]) expect(modeOf(join(data(), name))).toBe("700");
    for (const name of ["secret.key", "pgdata/base/1"]) expect(modeOf(join(data(), name))).toBe("600");
  });

  test("follows no symbolic link", () => {
    const outside = join(root, "outside");
    writeFileSync(outside, "");
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(data(), "link"));
    keepPrivate(data());
    expect(modeOf(outside)).toBe("644");
  });

  test("does nothing if there is no directory yet", () => {
    keepPrivate(join(root, "nothing"));
  });

  test.each(["/", tmpdir()])("refuses %s, which is used for other purposes too", (path) => {
    const before = modeOf(path);
    expect(() => keepPrivate(path)).toThrow("set DATA_DIR to a directory of its own");
    expect(modeOf(path)).toBe(before);
  });

  test("runs before the database is opened", async () => {
    const mode = statSync(tmpdir()).mode;
    const config = { database: { kind: "embedded" }, dataDir: tmpdir() } as never;
    const failure = await Promise.resolve()
      .then(() => openDatabase(config, undefined))
      .catch((error: Error) => error.message);
    expect(failure).toContain("set DATA_DIR to a directory of its own");
    expect(statSync(tmpdir()).mode).toBe(mode);
  });

  // Requires root to create a file of another user.
  test.if(process.getuid?.() === 0)("says how to fix a directory owned by another user", () => {
    const script = join(import.meta.dirname, "../../src/database/private_directory.ts");
    chmodSync(root, 0o755);
    const code = `process.setgid(65534); process.setuid(65534); const { keepPrivate } = require(${JSON.stringify(script)});
      try { keepPrivate(${JSON.stringify(data())}); } catch (error) { console.log(error.message); }`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", code], { stderr: "inherit", cwd: "/" });
    expect(stdout.toString().trim()).toBe(
      `The data directory "${data()}" can be read by other users of this machine, and user 65534 may not change that: ` +
        `run chown -R 65534 "${data()}" && chmod -R go= "${data()}"`,
    );
    expect(modeOf(data())).toBe("755");
  });
});

test.each(["main.ts", "breachbell.ts", "build/publish_breach.ts"])(
  "%s creates files readable by the owner only",
  async (name) => {
    const text = await Bun.file(join(import.meta.dirname, "../../src", name)).text();
    expect(text).toContain("process.umask(0o077);");
  },
);
