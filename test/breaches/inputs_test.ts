import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { alertChange, alertQuery, csvQuery, handleAllInput, seenInput } from "../../src/breaches/inputs.ts";

describe("alertQuery", () => {
  test("defaults to the first page of everything", () => {
    const everything = { state: "all", search: "", address: "", category: "", sort: "found" } as const;
    expect(v.parse(alertQuery, {})).toEqual({ ...everything, page: 1 });
    const some = {
      state: "handled",
      search: "adobe",
      address: "a@b.ch",
      category: "passwords",
      flag: "malware",
    } as const;
    const order = { sort: "seriousness", direction: "asc" } as const;
    expect(v.parse(alertQuery, { ...some, ...order, search: " adobe ", page: "12" })).toEqual({
      ...some,
      ...order,
      page: 12,
    });
    expect(v.parse(csvQuery, { language: "pt" })).toEqual({ ...everything, language: "pt" });
  });

  test.each([
    ["page 0", { page: "0" }],
    ["a page that is no number", { page: "one" }],
    ["a page out of range", { page: "9999999" }],
    ["an unknown state", { state: "breached" }],
    ["an over-long search", { search: "x".repeat(321) }],
    ["a search with a NUL character", { search: "\0adobe" }],
  ])("rejects %s", (_, input) => {
    expect(v.safeParse(alertQuery, input).success).toBe(false);
  });
});

describe("handleAllInput", () => {
  const id = "b0b00000-0000-4000-8000-000000000002";

  test("accepts up to 200, with a reason and a trimmed note, or without", () => {
    const alerts = Array.from({ length: 200 }, () => ({ id: crypto.randomUUID(), version: 1 }));
    expect(v.parse(handleAllInput, { alerts })).toEqual({ alerts });
    const why = { reason: "not_mine", note: "x".repeat(500) } as const;
    expect(v.parse(handleAllInput, { alerts, ...why, note: ` ${why.note}\n` })).toEqual({ alerts, ...why });
    expect(v.parse(handleAllInput, { alerts, reason: null, note: null })).toEqual({ alerts, reason: null, note: null });
  });

  test("rejects a repeated alert, ignoring the case of its id", () => {
    const twice = [id, id.toUpperCase()].map((one) => ({ id: one, version: 1 }));
    expect(v.safeParse(handleAllInput, { alerts: twice }).success).toBe(false);
  });
});

describe("seenInput", () => {
  test("accepts an instant", () => {
    expect(v.parse(seenInput, { until: "2026-11-20T12:00:00.123Z" }).until).toEqual(new Date(1_795_176_000_123));
    for (const until of [undefined, "", "2026-11-20", "2026-11-31T25:00:00Z", 1, null])
      expect(v.safeParse(seenInput, { until }).success).toBe(false);
  });
});

describe("alertChange", () => {
  test("accepts only the version that was seen", () => {
    expect(v.parse(alertChange, { version: 3 })).toEqual({ version: 3 });
    for (const input of [{}, { version: "3" }, { version: 1.5 }, { version: 1, state: "handled" }, null, []]) {
      expect(v.safeParse(alertChange, input).success).toBe(false);
    }
  });
});
