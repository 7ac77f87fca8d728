import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { done, failed } from "../../src/cli/answer.ts";
import { CONTROL_SOCKET } from "../../src/cli/control.ts";
import { handOver } from "../../src/cli/control_client.ts";
import { type Control, openControl } from "../../src/cli/control_server.ts";
import { VERSION } from "../../src/shared/product.ts";

const directories: string[] = [];
const controls: Control[] = [];

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "bb-control-"));
  directories.push(path);
  return path;
}

async function opened(path: string, run: Parameters<typeof openControl>[1]): Promise<Control> {
  const control = await openControl(path, run);
  controls.push(control);
  return control;
}

function asker() {
  const cancel = new AbortController();
  const [told, progress]: [string[], unknown[]] = [[], []];
  return {
    cancel,
    told,
    progress,
    surroundings: {
      directory: "/somewhere",
      signal: cancel.signal,
      tell: (line: string) => void told.push(line),
      progress: (state: unknown) => void progress.push(state),
    },
  };
}

/** The server's response to this body. */
async function post(path: string, body: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch("http://server/", {
    unix: join(path, CONTROL_SOCKET),
    method: "POST",
    body,
    ...(signal && { signal }),
  });
  return response.text();
}

afterEach(async () => {
  for (const control of controls.splice(0)) await control.close();
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
});

describe("a command that is passed to the server", () => {
  test("arrives with its arguments and directory, and streams its output until the result", async () => {
    const path = directory();
    await opened(path, async (typed, { directory: from, tell, progress }) => {
      tell("First");
      progress({ done: 1, total: 2, says: "one" });
      return failed("NO", "not today", { data: { typed, from } });
    });
    const { surroundings, told, progress } = asker();
    const answer = await handOver(path, ["users", "lock", "ä\n\u2028"], surroundings);
    expect(answer).toEqual(
      failed("NO", "not today", { data: { typed: ["users", "lock", "ä\n\u2028"], from: "/somewhere" } }),
    );
    expect([told, progress]).toEqual([["First"], [{ done: 1, total: 2, says: "one" }]]);
  });

  test("finds no server without a socket, and with one left over from a killed server", async () => {
    const path = directory();
    expect(await handOver(path, ["version"], asker().surroundings)).toBeUndefined();
    writeFileSync(join(path, CONTROL_SOCKET), "");
    expect(await handOver(path, ["version"], asker().surroundings)).toBeUndefined();
    await opened(path, async () => done("new"));
    expect((await handOver(path, ["version"], asker().surroundings))?.data).toBe("new");
  });

  test("is available to the owner only; the socket is removed with the server", async () => {
    const path = directory();
    const control = await opened(path, async () => done(null));
    expect(statSync(join(path, CONTROL_SOCKET)).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, CONTROL_SOCKET)).isSocket()).toBe(true);
    await control.close();
    expect(statSync(join(path, CONTROL_SOCKET), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("leaves a later server's socket alone when an earlier one stops late", async () => {
    const path = directory();
    const former = await opened(path, async () => done("former"));
    await opened(path, async () => done("later"));
    await former.close();
    expect((await handOver(path, ["version"], asker().surroundings))?.data).toBe("later");
  });

  test.each(["Ctrl-C", "a disconnection"])("is cancelled by %s", async (way) => {
    const path = directory();
    const [began, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await opened(path, async (_, { signal }) => {
      signal.addEventListener("abort", () => cancelled.resolve());
      began.resolve();
      await cancelled.promise;
      return done(null);
    });
    const { cancel, surroundings } = asker();
    const asked = JSON.stringify({ version: VERSION, typed: ["scan", "all"], directory: "/" });
    const answer =
      way === "Ctrl-C"
        ? handOver(path, ["scan", "all"], surroundings)
        : post(path, asked, cancel.signal).catch(() => "left");
    await began.promise;
    cancel.abort();
    await cancelled.promise;
    expect(await answer).toEqual(way === "Ctrl-C" ? expect.objectContaining({ code: 130 }) : "left");
  });

  test("does not wait for another: two concurrent ones respond separately", async () => {
    const path = directory();
    const { promise: slowly, resolve: finish } = Promise.withResolvers<void>();
    await opened(path, async ([word]) => {
      if (word === "slow") await slowly;
      return done(word);
    });
    const slow = handOver(path, ["slow"], asker().surroundings);
    expect((await handOver(path, ["quick"], asker().surroundings))?.data).toBe("quick");
    finish();
    expect((await slow)?.data).toBe("slow");
  });

  test("reports an unknown result if the server ends midway", async () => {
    const path = directory();
    const server = createServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(join(path, CONTROL_SOCKET), resolve));
    expect(await handOver(path, ["scan", "all"], asker().surroundings)).toMatchObject({
      code: 3,
      error: { code: "CONNECTION_LOST" },
    });
    server.close();
  });

  test("is rejected if it is no command, of another version, or endless", async () => {
    const path = directory();
    let runs = 0;
    await opened(path, async () => done(++runs));
    expect(await post(path, "hello")).toContain('"USAGE"');
    expect(await post(path, '{"version":"9.9.9","typed":["version"],"directory":"/"}')).toContain('"OTHER_VERSION"');
    expect(await post(path, '{"version":"0.1.0","typed":[1],"directory":"/"}')).toContain('"USAGE"');
    expect(await post(path, "x".repeat(9 * 1024 * 1024)).catch(() => "")).not.toContain("answer");
    expect(runs).toBe(0);
  });

  test("reports a directory without write permission instead of ignoring it", async () => {
    const path = directory();
    chmodSync(path, 0o700);
    await expect(openControl(join(path, "missing"), async () => done(null))).rejects.toThrow();
  });
});
