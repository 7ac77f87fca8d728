import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { fieldsOf } from "../../src/http/body.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import {
  DESCRIPTION_MAX,
  feedbackInput,
  plain,
  postInput,
  SUBJECT_MAX,
  ticketInput,
} from "../../src/support/inputs.ts";
import { counted } from "../../src/support/limits.ts";
import { referenceFrom, referenceOf, referencePrefix } from "../../src/support/reference.ts";
import { inState, keptSince } from "../../src/support/ticket.ts";
import { HOUR } from "../support/clock.ts";
import { aFeedbackInput, aTicket, aTicketInput } from "./support_world.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");

function wrongIn(schema: typeof ticketInput | typeof feedbackInput | typeof postInput, input: unknown) {
  const { success, issues } = v.safeParse(schema, input);
  return success ? {} : fieldsOf(issues as Parameters<typeof fieldsOf>[0]);
}

describe("ticketInput()", () => {
  test("accepts all fields of the specification, the company being optional", () => {
    expect(wrongIn(ticketInput, aTicketInput())).toEqual({});
    expect(wrongIn(ticketInput, aTicketInput({ company: "" }))).toEqual({});
    expect(wrongIn(feedbackInput, aFeedbackInput())).toEqual({});
  });

  test("names every empty field in one response", () => {
    const empty = { firstName: "", lastName: " ", email: "", type: "", subject: "\n", description: "\u202e \u2066" };
    expect(wrongIn(ticketInput, { ...aTicketInput(), ...empty, priority: "", privacy: false })).toEqual({
      firstName: "FIRST_NAME_REQUIRED",
      lastName: "LAST_NAME_REQUIRED",
      email: "EMAIL_REQUIRED",
      type: "TYPE_REQUIRED",
      priority: "PRIORITY_REQUIRED",
      subject: "SUBJECT_REQUIRED",
      description: "DESCRIPTION_REQUIRED",
      privacy: "PRIVACY_REQUIRED",
    });
    expect(Object.keys(wrongIn(ticketInput, {}))).toEqual(expect.arrayContaining(["firstName", "privacy", "key"]));
  });

  test("rejects the types of the other form, and unknown fields", () => {
    expect(wrongIn(ticketInput, { ...aTicketInput(), type: "critique" })).toEqual({ type: "TYPE_REQUIRED" });
    expect(wrongIn(feedbackInput, { ...aFeedbackInput(), type: "technical" })).toEqual({ type: "TYPE_REQUIRED" });
    expect(wrongIn(feedbackInput, { ...aFeedbackInput(), priority: "low" })).toEqual({ priority: "INVALID_INPUT" });
    expect(wrongIn(ticketInput, { ...aTicketInput(), state: "closed" })).toEqual({ state: "INVALID_INPUT" });
  });

  test("counts characters as people do: an emoji is one or a few, never split", () => {
    expect(wrongIn(ticketInput, aTicketInput({ subject: "🐝".repeat(SUBJECT_MAX) }))).toEqual({});
    expect(wrongIn(ticketInput, aTicketInput({ subject: "x".repeat(SUBJECT_MAX + 1) }))).toEqual({
      subject: "TEXT_TOO_LONG",
    });
    expect(wrongIn(postInput, { text: "x".repeat(DESCRIPTION_MAX + 1), key: crypto.randomUUID() })).toEqual({
      text: "TEXT_TOO_LONG",
    });
  });
});

test.each([
  ["only \\n as line endings, and at most one empty line", "a\r\nb\rc\u2028d\n\n\n\ne", "a\nb\nc\nd\n\ne"],
  ["no control characters except tabs", "a\u0000b\tc\u0007", "ab\tc"],
  ["no bidirectional overrides", "a\u202egpj.exe\u2069", "agpj.exe"],
  ["right-to-left text with its marks, and joined emoji", " مرحبا\u200f 👨‍👩‍👧 ", "مرحبا\u200f 👨‍👩‍👧"],
])("plain() leaves %s", (_, typed, meant) => {
  expect(plain(typed)).toBe(meant);
});

describe("referenceFrom()", () => {
  const many = Array.from({ length: 20_000 }, () => referenceFrom(newToken()));

  test("generates two groups of four, without ambiguous letters", () => {
    for (const reference of many)
      expect(reference).toMatch(/^BB-[234679CDFGHJKMNPQRTWXY]{4}-[234679CDFGHJKMNPQRTWXY]{4}$/);
  });

  test("uses all letters about equally often, in all positions, and repeats nothing", () => {
    expect(new Set(many).size).toBe(many.length);
    for (const place of [3, 4, 5, 6, 8, 9, 10, 11]) {
      const counts = Map.groupBy(many, (reference) => reference[place]);
      expect(counts.size).toBe(22);
      for (const { length } of counts.values()) expect(Math.abs(length - many.length / 22)).toBeLessThan(180);
    }
  });
});

test.each([
  ["", ""],
  ["BB-7K3F-92QX", "BB-7K3F-92QX"],
  [" bb 7k3f 92qx ", "BB-7K3F-92QX"],
  ["#7K3F–92QX", "BB-7K3F-92QX"],
  ["7k3f9", "BB-7K3F-9"],
  ["b", "BB"],
  ["bb-7", "BB-7"],
  ["7%", "-"],
  ["BB-7K3F-92QXX", "-"],
  ["nobody@example.com", "-"],
])("referencePrefix() of %p starts with %p", (typed, prefix) => {
  expect(referencePrefix(typed)).toBe(prefix);
});

test("referenceOf() distinguishes a complete reference from a part of one", () => {
  expect(referenceOf("bb7k3f92qx")).toBe("BB-7K3F-92QX");
  for (const typed of ["", "BB-7K3F", "BB-7K3F-92Q", "BB-7K3F-92QO", "../../etc"])
    expect(referenceOf(typed)).toBeUndefined();
});

test("turned() stores the time of closing, keeps it when closed again, and clears it when opened", () => {
  const closed = inState(aTicket(), "closed", NOW);
  expect(closed).toMatchObject({ state: "closed", closedAt: NOW, changedAt: NOW });
  const later = new Date(NOW.getTime() + HOUR);
  expect(inState(closed, "closed", later).closedAt).toEqual(NOW);
  expect(inState(closed, "open", later)).toMatchObject({ state: "open", closedAt: undefined, changedAt: later });
});

test("keptSince() is twelve months ago, also from a leap day", () => {
  expect(keptSince(NOW)).toEqual(new Date("2025-11-20T12:00:00.000Z"));
  expect(keptSince(new Date("2028-02-29T00:00:00.000Z"))).toEqual(new Date("2027-03-01T00:00:00.000Z"));
});

test("counted() opens a window with the first, stays one above its limit, and then starts over", () => {
  const limit = { most: 2, windowMs: HOUR };
  const until = new Date(NOW.getTime() + HOUR);
  const first = counted(undefined, limit, NOW);
  expect(first).toEqual({ count: 1, until });
  expect(counted({ count: 2, until }, limit, NOW)).toEqual({ count: 3, until });
  expect(counted({ count: 3, until }, limit, NOW)).toEqual({ count: 3, until });
  expect(counted({ count: 3, until }, limit, until).count).toBe(1);
});
