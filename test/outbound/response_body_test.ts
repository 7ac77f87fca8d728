import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { sendRequest } from "../../src/outbound/request.ts";

let answer: (response: ServerResponse) => void = () => undefined;
const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function get(more: { bodyLimit?: number; keepsStart?: boolean; timeoutMs?: number } = {}) {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the server");
  const url = new URL(`http://127.0.0.1:${address.port}/`);
  return sendRequest(url, { method: "GET", headers: {}, body: "", timeoutMs: 15_000, ...more });
}

const LIMIT = 64 * 1024;
/** Sends half of what its headers announce, then calls `end`. */
const half = (headers: Record<string, string>, end: (response: ServerResponse) => void) => (response: ServerResponse) =>
  response.writeHead(200, headers).write("half", () => end(response));

describe("The body of a response", () => {
  test.each([
    ["at once", (text: string) => [text]],
    ["in pieces", (text: string) => text.match(/.{1,1000}/gs) ?? []],
  ])("sent %s is read up to its limit where its start is wanted, and else not at all", async (_, piecesOf) => {
    const text = "0123456789".repeat(LIMIT / 5);
    answer = (response) => {
      for (const piece of piecesOf(text)) response.write(piece);
      response.end();
    };
    for (const [bodyLimit, length] of [
      [undefined, LIMIT],
      [1500, 1500],
      [text.length, text.length],
    ] as const) {
      for (const keepsStart of [true, false]) {
        const outcome = await get({ keepsStart, ...(bodyLimit !== undefined && { bodyLimit }) });
        expect(outcome).toMatchObject({ kind: "answer", status: 200 });
        const expected = keepsStart || length === text.length ? text.slice(0, length) : "";
        expect(outcome.kind === "answer" && outcome.text === expected).toBe(true);
        expect(outcome).not.toHaveProperty("isCutOff");
      }
    }
  });

  const cuts: [string, (response: ServerResponse) => void, { timeoutMs?: number }][] = [
    ["of a known length", half({ "content-length": "8" }, (response) => response.socket?.destroy()), {}],
    ["in chunks", half({}, (response) => response.socket?.destroy()), {}],
    ["that never ends", half({ "content-length": "8" }, () => undefined), { timeoutMs: 300 }],
  ];
  test.each(cuts)("%s that is cut off is marked", async (_, serve, more) => {
    answer = serve;
    expect(await get(more)).toMatchObject({ kind: "answer", text: "half", isCutOff: true });
  });

  test("that has ended is whole, even without a length", async () => {
    answer = (response) => void response.writeHead(200, { connection: "close" }).end("whole");
    expect(await get()).not.toHaveProperty("isCutOff");
  });
});
