import { expect, test } from "bun:test";
import { openServer } from "../../src/database/server.ts";

test("a start that is over while it tries again names what it found before", async () => {
  let connections = 0;
  // Hangs up on the first client, and never answers the next.
  const peer = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connections += 1;
        if (connections === 1) socket.end();
      },
      data() {},
    },
  });
  const url = `postgres://bell:bell@127.0.0.1:${peer.port}/bell?sslmode=disable`;
  const failure = await openServer(url, undefined, { startMs: 1500 }).then(
    () => "It opened",
    (error: Error) => error.message,
  );
  peer.stop(true);
  expect(connections).toBe(2);
  expect(failure).toStartWith(`Cannot use the Postgres server at "127.0.0.1:${peer.port}": `);
  expect(failure).not.toContain("did not answer within");
});
