import { describe, expect, test } from "bun:test";
import { errorPath, firstUnmet, redirectTarget } from "../../web/app/guards.ts";
import { afterSignIn, safeReturn } from "../../web/app/session.ts";

describe("redirectTarget()", () => {
  test.each([
    ["fullLogin", "unauthenticated", "login"],
    ["fullLogin", "partial", "login"],
    ["fullLogin", "authenticated", undefined],
    ["fullLogin", "unknown", "login"],
    ["partialLogin", "unauthenticated", "login"],
    ["partialLogin", "partial", undefined],
    ["partialLogin", "authenticated", "dashboard"],
    ["partialLogin", "unknown", "login"],
    ["noLogin", "unauthenticated", undefined],
    ["noLogin", "partial", undefined],
    ["noLogin", "authenticated", "dashboard"],
    ["noLogin", "unknown", undefined],
    ["public", "unauthenticated", undefined],
    ["public", "partial", undefined],
    ["public", "authenticated", undefined],
    ["public", "unknown", undefined],
  ] as const)("redirectTarget() of a %s route for somebody %s is %s", (access, level, expected) => {
    expect(redirectTarget(access, level)).toBe(expected);
  });
});

describe("firstUnmet()", () => {
  test("firstUnmet() returns the first code and makes no further checks", async () => {
    const asked: string[] = [];
    const condition = (name: string, code?: string) => async () => {
      asked.push(name);
      return code;
    };
    const conditions = [condition("one"), condition("two", "USER_INACTIVE"), condition("three", "USER_INSUFFICIENT")];
    expect(await firstUnmet(conditions, {})).toBe("USER_INACTIVE");
    expect(asked).toEqual(["one", "two"]);
  });

  test("firstUnmet() uses the code of a check that fails, or GENERIC if it has none", async () => {
    const refused = Object.assign(new Error("no"), { name: "ApiError", code: "ACCESS_DENIED" });
    expect(await firstUnmet([() => Promise.reject(refused)], {})).toBe("ACCESS_DENIED");
    expect(await firstUnmet([() => Promise.reject(new Error("broken"))], {})).toBe("GENERIC");
  });
});

test("errorPath() encodes any code", () => {
  expect(errorPath("de", "A&B=/x")).toBe("/de/error-page?err=A%26B%3D%2Fx");
});

describe("safeReturn()", () => {
  const origin = "https://watch.example";

  test("safeReturn() keeps a path of this site with its query", () => {
    expect(safeReturn("/en/alerts?alert=1", origin)).toBe("/en/alerts?alert=1");
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "alerts",
    "",
    "/\t/evil.example",
  ])("safeReturn() never leaves the site for %p", (value) => {
    const kept = safeReturn(value, origin);
    expect(kept === undefined || new URL(kept, origin).origin === origin).toBe(true);
  });

  test("safeReturn() returns nothing if nothing was requested", () => {
    expect(safeReturn(null, origin)).toBeUndefined();
  });
});

describe("afterSignIn()", () => {
  const usual = { returnTo: undefined, current: "en", account: "de", picked: false } as const;

  test("afterSignIn() goes to the requested page", () => {
    expect(afterSignIn({ ...usual, returnTo: "/en/alerts?alert=1" })).toBe("/en/alerts?alert=1");
  });

  test("afterSignIn() goes to the requested page in the language chosen manually", () => {
    const chosen = { ...usual, current: "pt", picked: true, returnTo: "/en/alerts?alert=1" } as const;
    expect(afterSignIn(chosen)).toBe("/pt/alerts?alert=1");
  });

  test("afterSignIn() goes to the dashboard in the account's language, or in the one chosen manually", () => {
    expect(afterSignIn(usual)).toBe("/de/dashboard");
    expect(afterSignIn({ ...usual, picked: true })).toBe("/en/dashboard");
  });
});
