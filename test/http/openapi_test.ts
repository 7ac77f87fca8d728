import { beforeAll, describe, expect, test } from "bun:test";
import { allOperations, scopesOf } from "../../src/http/operations.ts";
import { statusOf } from "../../src/http/reply.ts";
import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import { memoryGround, worldOn } from "../support/world.ts";

type Schema = { properties?: Record<string, Schema>; description?: string };
type Answer = { content?: Record<string, { schema: Schema; examples?: Record<string, { value: { code: string } }> }> };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; description?: string }[];
  responses: Record<string, Answer>;
};
type Document = {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { type: string; name?: string }> };
};

/** Operations that exist only if a setting enables them. */
const BY_SETTING = ["POST /api/telegram/webhook", "POST /api/inbound/bounce"];
/** The document itself. */
const ITSELF = "GET /api/openapi.json";

let document: Document;
let operations: [string, Operation][];

beforeAll(async () => {
  document = (await (await worldOn(memoryGround()).app.request("/api/openapi.json")).json()) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      one,
    ]),
  );
});

/** Fields of a schema, at any depth, without a description. */
function wordless(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const fields = key === "properties" ? Object.entries(part as Record<string, Schema>) : [];
    const without = fields.filter(([, field]) => !field.description).map(([name]) => `${at}.${name}`);
    return [...without, ...wordless(part, at)];
  });
}

describe("the OpenAPI document", () => {
  test("defines for every route who may call it, and its name", () => {
    const decided = allOperations().map(([route]) => route);
    expect(operations.map(([route]) => route).filter((route) => !decided.includes(route))).toEqual([]);
  });

  test("defines no routes that do not exist", () => {
    const there = new Set([...operations.map(([route]) => route), ...BY_SETTING, ITSELF]);
    expect(allOperations().flatMap(([route]) => (there.has(route) ? [] : [route]))).toEqual([]);
  });

  test("names each operation once, and only tags that are used", () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    const tags = document.tags.map(({ name }) => name);
    expect(operations.flatMap(([, one]) => one.tags).filter((tag) => !tags.includes(tag))).toEqual([]);
  });

  test("describes every operation, parameter and field", () => {
    const without = operations.flatMap(([route, one]) => [
      ...(one.summary && one.description ? [] : [route]),
      ...(one.parameters ?? []).filter(({ description }) => !description).map(({ name }) => `${route} ?${name}`),
      ...wordless(one, route),
    ]);
    expect([...new Set(without)]).toEqual([]);
  });

  test("states the scope of each operation, and that website-only ones accept no token", () => {
    const decisions = new Map(allOperations());
    for (const [route, { security }] of operations) {
      const needed = scopesOf(decisions.get(route) ?? { access: "website" });
      const tokens = security.flatMap(({ token }) => token ?? []);
      expect({ route, tokens }).toEqual({ route, tokens: needed });
    }
    const used = new Set(operations.flatMap(([, { security }]) => security.flatMap(({ token }) => token ?? [])));
    expect([...used].toSorted()).toEqual([...API_SCOPES].toSorted());
    expect(document.components.securitySchemes.session).toMatchObject({ in: "cookie", name: "__Host-session" });
  });

  test("gives each failure its status, with an example of each code", () => {
    for (const [route, { responses }] of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const examples = Object.entries(content?.["application/json"]?.examples ?? {});
        for (const [code, { value }] of examples) {
          expect({ route, code: value.code }).toEqual({ route, code });
          expect({ route, code, status }).toEqual({ route, code, status: String(statusOf(code as ErrorCode)) });
        }
      }
      expect(Object.keys(responses)).toContain("500");
    }
  });
});
