import { describe, expect, test } from "bun:test";
import { DrizzleQueryError } from "drizzle-orm";
import { LOG_LEVELS, type LogLevel } from "../src/config/log_level.ts";
import { createLog, describeError, gatheredLines } from "../src/runtime/log.ts";

function logOf(level: LogLevel) {
  const lines: string[] = [];
  return { lines, log: createLog(level, (line) => lines.push(line)) };
}

describe("createLog()", () => {
  test.each(LOG_LEVELS)("at %s writes that level and more severe ones", (level) => {
    const { lines, log } = logOf(level);
    for (const entry of LOG_LEVELS) log[entry]("Something happened");
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  });

  test("writes one line of JSON with the time, the message and the details", () => {
    const { lines, log } = logOf("info");
    log.warn("First line\nsecond line", { job: "scan", tries: 2 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("\n");
    const { time, ...entry } = JSON.parse(lines[0] ?? "");
    expect(new Date(time).toISOString()).toBe(time);
    expect(entry).toEqual({ level: "warn", message: "First line\nsecond line", job: "scan", tries: 2 });
  });
});

describe("gatheredLines()", () => {
  const gathered = () => {
    const writes: string[] = [];
    return { writes, lines: gatheredLines((text) => writes.push(text)) };
  };

  test("writes the lines of one tick together, in their order", async () => {
    const { writes, lines } = gathered();
    lines.write("first", "info");
    lines.write("second", "debug");
    expect(writes).toEqual([]);
    await new Promise(setImmediate);
    lines.write("third", "info");
    await new Promise(setImmediate);
    expect(writes).toEqual(["first\nsecond", "third"]);
  });

  test.each(["warn", "error"] as const)("writes %s immediately, after the buffered lines", async (level) => {
    const { writes, lines } = gathered();
    lines.write("first", "info");
    lines.write("trouble", level);
    expect(writes).toEqual(["first\ntrouble"]);
    await new Promise(setImmediate);
    expect(writes).toHaveLength(1);
  });

  test("writes buffered lines when the process ends", () => {
    const { writes, lines } = gathered();
    lines.write("last", "info");
    lines.flush();
    expect(writes).toEqual(["last"]);
  });
});

describe("describeError()", () => {
  test("contains the message, the cause and the first stack frames", () => {
    const error = new Error("Cannot send", { cause: new Error("Connection refused") });
    const { stack, ...rest } = describeError(error);
    expect(rest).toEqual({ error: "Cannot send", cause: "Connection refused" });
    expect(stack).toMatch(/^\s+at .*log_test\.ts/);
    expect(String(stack).split("\n").length).toBeLessThanOrEqual(5);
  });

  test("describes thrown values that are no errors", () => {
    expect(describeError("text")).toEqual({ error: "text" });
    expect(describeError(undefined)).toEqual({ error: "undefined" });
  });

  test("removes the values of a failed query from message, stack and cause", () => {
    const refused = new Error("duplicate key value violates unique constraint");
    const failed = new DrizzleQueryError("insert into users (email) values ($1)", ["alice@example.com"], refused);
    const described = describeError(failed);
    expect(described.error).toBe("Failed query: insert into users (email) values ($1)");
    expect(described.cause).toBe(refused.message);
    expect(JSON.stringify(described)).not.toContain("alice@example.com");
    const wrapped = describeError(new Error("Cannot register", { cause: failed }));
    expect(wrapped).toMatchObject({ error: "Cannot register", cause: described.error });
    expect(JSON.stringify(wrapped)).not.toContain("alice@example.com");
  });

  test("leaves no line of a long message in the stack, not even one that looks like a stack frame", () => {
    const failed = new DrizzleQueryError("select 1", ["first\n    at alice (bob@example.com)\nlast"]);
    expect(JSON.stringify(describeError(failed))).not.toContain("example.com");
  });
});
