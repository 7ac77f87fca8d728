import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { IS_NIGHTLY } from "../support/tier.ts";
import { attackAll, type ReportLine } from "./attack_all.ts";
import { bodyOf, hostile, seeded, valid } from "./documents.ts";
import { faultOf } from "./fuzz.ts";
import { GOALS } from "./goals.ts";
import { VIOLATION } from "./policy.ts";

const SEED = 20261123;
const NUMBERS = [
  [1, 17],
  [20, 29],
  [30, 37],
  [40, 54],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, at) => `S${from + at}`));

describe("The security goals S1 to S54", () => {
  test("are each attacked, proven by tests, or listed as not shown", () => {
    expect(GOALS.map(({ goal }) => goal)).toEqual(NUMBERS);
    for (const { goal, attack, longAttack, tests, missing } of GOALS)
      expect({ goal, isThere: Boolean(attack ?? longAttack ?? tests ?? missing) }).toEqual({ goal, isThere: true });
    const files = GOALS.flatMap(({ tests = [] }) => tests);
    expect(files.filter((path) => !existsSync(join(import.meta.dirname, "..", path)))).toEqual([]);
  });

  // The full figures are the job of `bun run attacks`. So are durations, as many tests run in parallel here.
  describe.skipIf(!IS_NIGHTLY)("attacked on two running processes", () => {
    const told: ReportLine[] = [];
    beforeAll(async () => {
      await attackAll(GOALS, { long: false, seed: SEED }, (line) => told.push(line));
    }, 300_000);

    const isBroken = ({ pass, what }: ReportLine) => pass === false && !/\bseconds\b/.test(what);

    test.each(GOALS.filter(({ attack }) => attack).map(({ goal }) => goal))("%s holds", (goal) => {
      const own = told.filter((line) => line.goal === goal);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter(isBroken)).toEqual([]);
    });

    test("and everything else seen meanwhile holds as well", () => {
      expect(told.filter(isBroken)).toEqual([]);
    });
  });
});

describe("What the attacks detect", () => {
  const operation = { id: "one", method: "GET", path: "/", parameters: [], body: undefined };
  const answers = { "200": { type: "object", required: ["id"], properties: { id: { type: "string" } } } };
  const answer = (status: number, text: string, type = "application/json") => {
    const data = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status, text, data, code: "", headers: new Headers({ "Content-Type": type }) };
  };
  const fault = (status: number, text: string, type?: string) =>
    faultOf({ ...operation, answers }, answer(status, text, type));

  test("includes our errors, responses in another format, and nested ones", () => {
    expect(fault(200, '{"id":"1"}')).toBeUndefined();
    expect(fault(404, '{"code":"NOT_FOUND"}')).toBeUndefined();
    expect(fault(500, '{"code":"GENERIC"}')).toContain("500");
    expect(fault(200, '{"id":1}')).toContain("another form");
    expect(fault(422, '{"code":"INVALID_INPUT","stack":"x"}')).toContain("422");
    expect(fault(400, "Bad Request", "text/plain")).toContain("400");
    expect(fault(400, '{"code":"X_Y","fields":{"a":"at f (/app/src/main.ts:1)"}}')).toContain("inside");
    expect(fault(201, "{}")).toContain("not in the document");
  });

  test("is a policy violation, and no other console message", () => {
    expect(VIOLATION.test("login-en-light-360: console: style-src-elem inline http://127.0.0.1/:1")).toBe(true);
    expect(VIOLATION.test("login-en-light-360: console: script-src https://evil.example x.js:1")).toBe(true);
    expect(
      VIOLATION.test(
        "login-en-light-360: console: require-trusted-types-for trusted-types-sink http://127.0.0.1/a.js:1",
      ),
    ).toBe(true);
    expect(VIOLATION.test("login-en-light-360: console: Error: nothing here")).toBe(false);
  });

  test("is caused by bodies that are the same for the same seed, and mostly invalid", () => {
    const schema = {
      type: "object",
      required: ["email"],
      properties: { email: { type: "string" }, ids: { type: "array", items: { type: "string" } } },
    };
    const made = (seed: number) =>
      Array.from(
        { length: 50 },
        (
          (random) => () =>
            bodyOf(schema, random)
        )(seeded(seed)),
      );
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
    const random = seeded(3);
    const right = valid(schema, random);
    expect(right).toMatchObject({ email: "fuzz@example.org" });
    const wrong = Array.from({ length: 50 }, () => JSON.stringify(hostile(right, random)));
    expect(wrong.filter((text) => text === JSON.stringify(right)).length).toBeLessThan(5);
  });
});
