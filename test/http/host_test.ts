import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { hostIn } from "../../src/http/host.ts";
import { memoryGround, worldOn } from "../support/world.ts";

let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  const { app } = worldOn(memoryGround());
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => app.fetch(request, { ip: "127.0.0.1" }) });
});
afterAll(() => server.stop(true));

/** The response status of a request with these header lines. */
function statusOf(...head: string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(server.port ?? 0, "127.0.0.1", () =>
    socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n`),
  );
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes.toString();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(said.split(" ")[1] ?? ""));
  return promise;
}

const GOOD = ["breachbell.example", "Breachbell.Example:443", "localhost:3000", "192.0.2.1", "[::1]:3000", "my_app:80"];
const BAD = [
  ...[
    "a@b",
    "a/b",
    "x/livez?",
    "<b>",
    "a b",
    "a?b",
    "a#b",
    "a,b",
    "a:b",
    "a:99999",
    "a:1:2",
    "[::1",
    "::1",
    "a\\b",
    "%61",
  ],
  ...["", `${"a".repeat(254)}`, 'a"b', "a;b", "é"],
];

describe("hostIn()", () => {
  test.each(GOOD)("parses %s", (host) => {
    expect(hostIn(host)).toBe(host.replace(/:\d+$/, "").replace(/[[\]]/g, ""));
  });
  test.each(BAD)("rejects %j", (host) => {
    expect(hostIn(host)).toBeUndefined();
  });
});

describe("a request", () => {
  test.each(GOOD)("is accepted for the host %s", async (host) => {
    expect(await statusOf("GET /livez HTTP/1.1", `Host: ${host}`)).toBe("200");
  });

  test.each(BAD)("is refused for the host %j, whatever its path", async (host) => {
    for (const path of ["/livez", "/en/login", "/api/instance"])
      expect(await statusOf(`GET ${path} HTTP/1.1`, `Host: ${host}`)).toBe("400");
  });

  test("is refused with two of them, even if they are equal", async () => {
    for (const other of ["evil.example", "breachbell.example"])
      expect(await statusOf("GET /livez HTTP/1.1", "Host: breachbell.example", `host: ${other}`)).toBe("400");
  });

  test("is refused without one", async () => {
    for (const version of ["1.0", "1.1"]) expect(await statusOf(`GET /livez HTTP/${version}`)).toBe("400");
  });
});
