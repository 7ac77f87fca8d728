import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";

const seen: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    seen.push(new URL(request.url).pathname);
    await request.text().catch(() => "");
    return new Response("answered");
  },
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(() => server.stop(true));

/** Everything received until the connection closes or goes quiet. */
function raw(text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = "";
  const socket = connect(server.port ?? 0, "127.0.0.1", () => socket.write(text));
  socket.setTimeout(300, () => socket.destroy());
  socket.on("data", (bytes) => {
    said += bytes.toString();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(said));
  return promise;
}

const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
const post = (headers: string, body: string) => `POST /shown HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

/** Requests that a proxy and a server may split differently. */
const SHAPES: [string, string][] = [
  [
    "Content-Length before chunked encoding",
    post(`Content-Length: 4\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${HIDDEN}`),
  ],
  [
    "chunked encoding before Content-Length",
    post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `0\r\n\r\n${HIDDEN}`),
  ],
  ["two lengths", post(`Content-Length: 0\r\nContent-Length: ${HIDDEN.length}`, HIDDEN)],
  ["a length with a sign", post("Content-Length: +0", HIDDEN)],
  ["chunked that is not the last coding", post("Transfer-Encoding: chunked, identity", `0\r\n\r\n${HIDDEN}`)],
  ["an invalid chunk size", post("Transfer-Encoding: chunked", `zz\r\n${HIDDEN}`)],
];

describe("an ambiguously delimited request", () => {
  test.each(SHAPES)(
    "is treated as one request at most, and never as a second one hidden in it: %s",
    async (_, text) => {
      await raw(text);
      expect(seen.filter((path) => path === "/hidden")).toEqual([]);
      expect(seen.length).toBeLessThanOrEqual(1);
    },
  );

  test("is distinguished from two actual requests", async () => {
    await raw(`${post("Content-Length: 2", "{}")}${HIDDEN}`);
    expect(seen).toEqual(["/shown", "/hidden"]);
  });
});
