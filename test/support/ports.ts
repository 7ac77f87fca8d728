import { createServer } from "node:net";

// Below the range from which systems take the ports of clients and of servers that ask for any: 32768 and up on
// Linux, 49152 and up elsewhere. So nothing takes a port between its choice and the start of its server.
const FIRST = 10_000;
const COUNT = 20_000;
/** How far apart the ports of two processes with consecutive ids begin. */
const APART = 89;

let next = process.pid * APART;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** A port for a server that has to be told its port; no other test receives the same. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}
