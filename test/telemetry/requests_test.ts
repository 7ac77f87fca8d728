import { describe, expect, test } from "bun:test";
import { createLog } from "../../src/runtime/log.ts";
import { currentFacts } from "../../src/telemetry/context.ts";
import { unwatched } from "../../src/telemetry/health.ts";
import { adaptersOn, composed, memoryGround, signedUp } from "../support/world.ts";

type Line = { level: string; message: string; route?: string; status?: number; requestId?: string; ms?: number };

/** The product in memory, and its log. */
function logged() {
  const lines: string[] = [];
  const log = createLog("debug", (line) => lines.push(line), currentFacts);
  const adapters = adaptersOn(memoryGround());
  const world = composed({ ...adapters, health: { ...unwatched, log } });
  return { world, adapters, lines, last: () => JSON.parse(lines.at(-1) ?? "{}") as Line };
}

describe("the request log", () => {
  test("has one line for each, with the response's id and the pattern of its route", async () => {
    const { world, lines, last } = logged();
    const call = await signedUp(world, "alice@breachbell.example");
    lines.length = 0;
    const answer = await call("GET", "/api/alerts/3f0c7a52-4c5e-4ce5-9a3c-1d3f7a1b2c3d?email=bob@breachbell.example");
    expect(lines).toHaveLength(1);
    expect(last()).toMatchObject({ level: "info", message: "Request", route: "/api/alerts/:id", status: 404 });
    expect(last().requestId).toBe(answer.headers.get("X-Request-Id") ?? "");
    expect(last().ms).toBeGreaterThanOrEqual(0);
    expect(lines.join("")).not.toMatch(/bob|3f0c7a52/);
  });

  test("does not contain an unknown path", async () => {
    const { world, lines, last } = logged();
    await world.app.request("/api/nothing/alice@breachbell.example");
    expect(last()).toMatchObject({ route: "(none)", status: 404 });
    expect(lines.join("")).not.toContain("alice");
  });

  test("logs automatic requests only at debug level", async () => {
    const { world, last } = logged();
    await world.app.request("/livez");
    expect(last()).toMatchObject({ level: "debug", route: "/livez" });
    await world.app.request("/api/bell", { headers: { "X-Unattended": "1" } });
    expect(last()).toMatchObject({ level: "debug", route: "/api/bell" });
    await world.app.request("/api/instance");
    expect(last()).toMatchObject({ level: "info", route: "/api/instance" });
  });

  test("warns about failures, and all lines of a request have its id", async () => {
    const lines: string[] = [];
    const log = createLog("debug", (line) => lines.push(line), currentFacts);
    const adapters = adaptersOn(memoryGround());
    const world = composed({
      ...adapters,
      health: { ...unwatched, log },
      transactions: { ...adapters.transactions, identity: () => Promise.reject(new Error("a bug")) },
      system: { ...adapters.system, report: () => log.error("Something went wrong") },
    });
    await world.app.request("/api/me", { headers: { Cookie: "__Host-session=x" } });
    const [said, request] = lines.map((line) => JSON.parse(line) as Line);
    expect(request).toMatchObject({ level: "warn", status: 500 });
    expect(said).toMatchObject({ level: "error", requestId: request?.requestId ?? "none" });
  });
});
