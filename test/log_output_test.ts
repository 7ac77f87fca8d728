import { describe, expect, test } from "bun:test";
import { boundedOutput } from "../src/runtime/log_output.ts";

/** A reader that accepts text immediately, or only when told to. */
function reader() {
  const taken: string[] = [];
  let waiting: { text: string; done: PromiseWithResolvers<void> }[] = [];
  let state: "reads" | "rests" | "gone" = "reads";
  return {
    taken,
    rest() {
      state = "rests";
    },
    leave() {
      state = "gone";
    },
    async resume() {
      state = "reads";
      for (const { text, done } of waiting) {
        taken.push(text);
        done.resolve();
      }
      waiting = [];
      await new Promise(setImmediate);
    },
    write(text: string) {
      if (state === "gone") throw new Error("EPIPE");
      if (state === "reads") return void taken.push(text);
      const done = Promise.withResolvers<void>();
      waiting.push({ text, done });
      return done.promise;
    },
  };
}

const noteIn = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "");

describe("boundedOutput()", () => {
  test("writes immediately what can be written", () => {
    const own = reader();
    const output = boundedOutput(own.write);
    output.write("one\ntwo");
    expect(own.taken).toEqual(["one\ntwo\n"]);
    expect(output.dropped()).toBe(0);
  });

  test("buffers up to the limit while nobody reads, drops the rest and reports the number of lines", async () => {
    const own = reader();
    const output = boundedOutput(own.write, { limitBytes: 10 });
    own.rest();
    output.write("first");
    output.write("second");
    output.write("third\nfourth");
    output.write("3");
    expect(output.dropped()).toBe(2);
    await own.resume();
    const [first, rest = ""] = own.taken;
    expect(first).toBe("first\n");
    expect(rest.startsWith("second\n3\n{")).toBe(true);
    expect(noteIn(rest)).toMatchObject({ level: "warn", lines: 2 });
    output.write("later");
    expect(own.taken.at(-1)).toBe("later\n");
    expect(output.dropped()).toBe(2);
  });

  test("counts bytes, not characters", () => {
    const own = reader();
    const output = boundedOutput(own.write, { limitBytes: 10 });
    own.rest();
    output.write("first");
    output.write("ééééé");
    expect(output.dropped()).toBe(1);
  });

  test("continues when the reader is gone, and reports the lost lines to the next one", async () => {
    const own = reader();
    const output = boundedOutput(own.write);
    own.leave();
    output.write("lost");
    output.write("lost too");
    expect(output.dropped()).toBe(2);
    await own.resume();
    output.write("found");
    expect(own.taken[0]?.startsWith("found\n{")).toBe(true);
    expect(noteIn(own.taken[0] ?? "")).toMatchObject({ lines: 2 });
  });

  test("taken() resolves once all of it is read", async () => {
    const own = reader();
    const output = boundedOutput(own.write);
    await output.taken();
    own.rest();
    output.write("first");
    output.write("second");
    let isTaken = false;
    const taken = output.taken().then(() => {
      isTaken = true;
    });
    await new Promise(setImmediate);
    expect(isTaken).toBe(false);
    await own.resume();
    await taken;
    expect(own.taken).toEqual(["first\n", "second\n"]);
  });
});
