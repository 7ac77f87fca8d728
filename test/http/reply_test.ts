import { describe, expect, test } from "bun:test";
import { type Context, Hono } from "hono";
import errors from "../../locales/en/errors.json";
import { reply, replyFailure, statusOf } from "../../src/http/reply.ts";
import { type ErrorCode, fail, ok } from "../../src/shared/result.ts";

async function answerOf(handler: (c: Context) => Response) {
  const response = await new Hono().get("/", handler).request("/");
  return { status: response.status, body: await response.json(), headers: response.headers };
}

describe("reply()", () => {
  test("responds with the value and 200, or the route's status", async () => {
    expect(await answerOf((c) => reply(c, ok({ a: 1 })))).toMatchObject({ status: 200, body: { a: 1 } });
    expect(await answerOf((c) => reply(c, ok({ id: "x" }), 201))).toMatchObject({ status: 201, body: { id: "x" } });
  });

  test("responds with an empty object if there is no value", async () => {
    expect(await answerOf((c) => reply(c, ok()))).toMatchObject({ status: 200, body: {} });
  });

  test("responds with the code and its status, even if success has another one", async () => {
    expect(await answerOf((c) => reply(c, fail("EMAIL_TAKEN"), 201))).toMatchObject({
      status: 409,
      body: { code: "EMAIL_TAKEN" },
    });
  });
});

describe("replyFailure()", () => {
  test("returns only the code if there is no more", async () => {
    const { body, headers } = await answerOf((c) => replyFailure(c, fail("GENERIC")));
    expect(body).toEqual({ code: "GENERIC" });
    expect(headers.get("Retry-After")).toBeNull();
  });

  test("returns the fields", async () => {
    const { body } = await answerOf((c) =>
      replyFailure(c, fail("INVALID_INPUT", { fields: { email: "EMAIL_INVALID" } })),
    );
    expect(body).toEqual({ code: "INVALID_INPUT", fields: { email: "EMAIL_INVALID" } });
  });

  test("returns when to retry, in the body and as a header", async () => {
    const { status, body, headers } = await answerOf((c) => replyFailure(c, fail("LOCKED", { retryAfter: 3600 })));
    expect([status, body]).toEqual([429, { code: "LOCKED", retryAfter: 3600 }]);
    expect(headers.get("Retry-After")).toBe("3600");
  });
});

describe("statusOf()", () => {
  const codes = Object.keys(errors) as ErrorCode[];

  test("is a failure's status for every code", () => {
    expect(codes.length).toBeGreaterThan(40);
    for (const code of codes) expect(statusOf(code)).toBeGreaterThanOrEqual(400);
  });

  test("is 500 for bugs only, and 401 only where logging in or another token helps", () => {
    expect(codes.filter((code) => statusOf(code) === 500)).toEqual(["GENERIC"]);
    const signIn = [
      "CODE_INVALID",
      "CREDENTIALS_INVALID",
      "PASSKEY_INVALID",
      "PROVIDER_REFUSED",
      "SESSION_EXPIRED",
      "TOKEN_INVALID",
      "UNAUTHENTICATED",
    ];
    expect(codes.filter((code) => statusOf(code) === 401).sort()).toEqual(signIn as ErrorCode[]);
  });

  test("is 422 for a field", () => {
    for (const code of ["EMAIL_REQUIRED", "PASSWORD_TOO_SHORT", "INVALID_INPUT"] as const)
      expect(statusOf(code)).toBe(422);
  });
});
