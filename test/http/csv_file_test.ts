import { expect, test } from "bun:test";
import { Hono } from "hono";
import { replyCsv } from "../../src/http/csv_file.ts";
import { currentFacts, withFacts } from "../../src/telemetry/context.ts";

async function* pages() {
  yield "id\n";
  await new Promise(setImmediate);
  yield `${JSON.stringify(currentFacts())}\n`;
}

test("replyCsv() produces each page in the context of its request", async () => {
  const app = new Hono().get("/", (c) => replyCsv(c, { name: "a.csv", chunks: pages() }));
  const fetchIn = (request: Request) => withFacts({ requestId: "r" }, async () => app.fetch(request));
  await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: fetchIn });
  expect(await (await fetch(server.url)).text()).toBe('id\n{"requestId":"r"}\n');
});
