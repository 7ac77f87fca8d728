import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { unreadPipe } from "../support/unread_pipe.ts";

const SECONDS = 3;
const WEDGED = join(import.meta.dirname, "wedged.ts");

function start(how: string, seconds = SECONDS) {
  return Bun.spawn([process.execPath, WEDGED, how, String(seconds)], { stdout: "pipe", stderr: "inherit" });
}

/** The output of a process until it ends by itself. */
async function endOf(how: string) {
  const child = start(how);
  const said = await new Response(child.stdout).text();
  await child.exited;
  return { said, signal: child.signalCode };
}

/** Whether a process still runs long after a blocked one would have been ended. */
async function livesOn(child: ReturnType<typeof start>): Promise<boolean> {
  await Bun.sleep(SECONDS * 2000);
  const isAlive = child.exitCode === null && child.signalCode === null;
  child.kill("SIGKILL");
  await child.exited;
  return isAlive;
}

describe("startWatchdog()", () => {
  test.concurrent("ends a process whose log is not read", async () => {
    const pipe = await unreadPipe();
    const child = Bun.spawn([process.execPath, WEDGED, "unread", String(SECONDS)], {
      stdout: pipe.fd,
      stderr: "inherit",
    });
    await child.exited;
    pipe.close();
    expect(child.signalCode).toBe("SIGKILL");
  }, 60_000);

  test.concurrent.each([
    ["loop", "The event loop stood still for 3 s: ending this process"],
    ["work", "No job came to an end for 3 s: ending this process"],
  ])(
    "ends a process whose %s is blocked, and logs the reason",
    async (how, message) => {
      const { said, signal } = await endOf(how);
      expect(signal).toBe("SIGKILL");
      const line = JSON.parse(said.trim().split("\n").at(-1) ?? "{}");
      expect(line).toMatchObject({ level: "error", message });
    },
    60_000,
  );

  test.concurrent.each(["well", "failing", "stopping"])(
    "does not end one that is %s",
    async (how) => {
      expect(await livesOn(start(how))).toBe(true);
    },
    60_000,
  );

  test.concurrent("does not mistake a sleeping machine for a blocked process", async () => {
    const child = start("well");
    await child.stdout.getReader().read();
    child.kill("SIGSTOP");
    await Bun.sleep(SECONDS * 1500);
    child.kill("SIGCONT");
    expect(await livesOn(child)).toBe(true);
  }, 60_000);

  test.concurrent("is disabled at 0 seconds", async () => {
    expect(await livesOn(start("work", 0))).toBe(true);
  }, 60_000);
});
