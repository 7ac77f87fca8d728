import { describe, expect, test } from "bun:test";
import { Hono } from "hono";
import * as v from "valibot";
import { fieldsOf, json, param, query } from "../../src/http/body.ts";
import { replyFailure } from "../../src/http/reply.ts";
import { fail } from "../../src/shared/result.ts";

const input = v.strictObject({
  email: v.pipe(v.string("EMAIL_REQUIRED"), v.nonEmpty("EMAIL_REQUIRED"), v.email("EMAIL_INVALID")),
  contacts: v.object({ email: v.array(v.pipe(v.string(), v.email("CONTACT_INVALID"))) }),
});

async function issuesOf(value: unknown) {
  return (await input["~standard"].validate(value)).issues ?? [];
}

describe("fieldsOf()", () => {
  test("returns the first code of each field, by its path", async () => {
    expect(fieldsOf(await issuesOf({ email: "", contacts: { email: ["a@b.example", "nobody"] } }))).toEqual({
      email: "EMAIL_REQUIRED",
      "contacts.email.1": "CONTACT_INVALID",
    });
  });

  test("turns messages that are no code into INVALID_INPUT", async () => {
    expect(fieldsOf(await issuesOf({ email: "a@b.example", contacts: "none" }))).toEqual({ contacts: "INVALID_INPUT" });
    expect(
      fieldsOf([
        { message: "Invalid <b>", path: ["a"] },
        { message: "A", path: ["b"] },
      ]),
    ).toEqual({
      a: "INVALID_INPUT",
      b: "INVALID_INPUT",
    });
  });

  test("names unknown fields, including those that every object has", async () => {
    const good = { email: "a@b.example", contacts: { email: [] } };
    for (const name of ["admin", "constructor", "toString"]) {
      expect(Object.entries(fieldsOf(await issuesOf({ ...good, [name]: 1 })))).toEqual([[name, "INVALID_INPUT"]]);
    }
  });

  test("handles paths of keys, of path segments, and without a path", () => {
    expect(fieldsOf([{ message: "EMAIL_INVALID", path: [{ key: "a" }, 0, "b"] }, { message: "NAME_INVALID" }])).toEqual(
      {
        "a.0.b": "EMAIL_INVALID",
        "": "NAME_INVALID",
      },
    );
    expect(fieldsOf([])).toEqual({});
  });
});

describe("json(), query() and param()", () => {
  const app = new Hono()
    .post("/input", json(input), (c) => c.json(c.req.valid("json")))
    .get("/list", query(v.object({ page: v.pipe(v.string(), v.digits(), v.toNumber()) })), (c) =>
      c.json(c.req.valid("query")),
    )
    .get("/item/:id", param(v.object({ id: v.pipe(v.string(), v.uuid()) })), (c) => c.json(c.req.valid("param")));
  app.onError((_, c) => replyFailure(c, fail("INVALID_JSON")));

  async function post(body: string, type = "application/json") {
    const response = await app.request("/input", { method: "POST", body, headers: { "Content-Type": type } });
    return [response.status, await response.json()];
  }

  test("json() passes valid input on", async () => {
    const good = { email: "a@b.example", contacts: { email: ["c@d.example"] } };
    expect(await post(JSON.stringify(good))).toEqual([200, good]);
  });

  test("json() rejects with the codes of all fields", async () => {
    const refusal = { code: "INVALID_INPUT", fields: { email: "EMAIL_INVALID", contacts: "INVALID_INPUT" } };
    expect(await post('{"email":"nobody"}')).toEqual([422, refusal]);
  });

  test.each(["{", "", "[1,"])("json() rejects the malformed body %j", async (body) => {
    expect(await post(body)).toEqual([400, { code: "INVALID_JSON" }]);
  });

  test.each(["null", "[]", '"text"', "1"])("json() rejects %s, which is no object", async (body) => {
    const [status, { code }] = (await post(body)) as [number, { code: string }];
    expect([status, code]).toEqual([422, "INVALID_INPUT"]);
  });

  test("json() repeats none of the input", async () => {
    const [, answer] = await post('{"email":"s3cr3t","s3cr3t-key":"s3cr3t"}');
    expect(JSON.stringify(answer)).not.toContain('"s3cr3t"');
  });

  test("query() rejects like json()", async () => {
    expect(await (await app.request("/list?page=2")).json()).toEqual({ page: 2 });
    const refused = await app.request("/list?page=two");
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { code: "INVALID_INPUT", fields: { page: "INVALID_INPUT" } },
    ]);
  });

  test("param() treats malformed ids as not found", async () => {
    const refused = await app.request("/item/1");
    expect([refused.status, await refused.json()]).toEqual([404, { code: "NOT_FOUND" }]);
  });
});
