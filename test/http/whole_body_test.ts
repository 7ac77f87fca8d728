import { expect, test } from "bun:test";
import { Hono } from "hono";
import { wholeBody } from "../../src/http/body.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

const LIMIT = 20;
const app = new Hono()
  .use(wholeBody(LIMIT, 50))
  .post("/json", async (c) => c.json({ took: await c.req.json() }))
  .post("/text", async (c) => c.text(await c.req.text()));

/** A body that arrives in these pieces and then ends as told, without a length. */
function arriving(pieces: string[], end: "complete" | "cut" | "never"): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      if (end === "complete") controller.close();
      if (end === "cut") controller.error(new Error("The connection was closed"));
    },
  });
}

async function send(path: string, body: ReadableStream<Uint8Array> | string, headers: Record<string, string> = {}) {
  const answer = await app.request(path, { method: "POST", body, headers });
  return [answer.status, await answer.text()] as const;
}

const codeOf = (text: string) => (JSON.parse(text) as { code: string }).code;

test("a body is there for the route, whether its length was announced or not", async () => {
  expect(await send("/json", '{"a":1}')).toEqual([200, '{"took":{"a":1}}']);
  expect(await send("/json", arriving(['{"a"', ":1}"], "complete"))).toEqual([200, '{"took":{"a":1}}']);
  expect(await send("/text", arriving(["as it is"], "complete"))).toEqual([200, "as it is"]);
});

test.each([{}, { "Content-Length": "15" }])("a body that is cut off is a quiet refusal (%j)", async (headers) => {
  const [status, text] = await send("/json", arriving(['{"a"'], "cut"), headers);
  expect([status, codeOf(text)]).toEqual([400, "INVALID_JSON"]);
});

test.each([{}, { "Content-Length": "15" }])("a body that does not end has a deadline (%j)", async (headers) => {
  const [status, text] = await send("/json", arriving(['{"a"'], "never"), headers);
  expect([status, codeOf(text)]).toEqual([408, "REQUEST_TIMEOUT"]);
});

test("a body over the limit is refused, whether its length was announced or not", async () => {
  for (const headers of [{}, { "Content-Length": "21" }]) {
    const [status, text] = await send("/json", arriving(["x".repeat(21)], "complete"), headers);
    expect([status, codeOf(text)]).toEqual([413, "BODY_TOO_LARGE"]);
  }
});

test("every route that takes a body reads it this way", async () => {
  const ground = memoryGround();
  const { app: product } = composed(adaptersOn(ground));
  const routes = new Set(product.routes.filter(({ method }) => /POST|PUT|PATCH/.test(method)).map(({ path }) => path));
  expect(routes.size).toBeGreaterThan(50);
  for (const path of routes) {
    const headers = { Origin: "http://localhost:3000", "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: arriving(["{"], "cut") };
    const answer = await product.request(path.replaceAll(/:\w+/g, "1"), request);
    expect([path, answer.status]).not.toEqual([path, 500]);
  }
  expect(ground.errors).toEqual([]);
});
