import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Product, removeDirectory, startProduct } from "./product.ts";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
}, 60_000);
afterAll(async () => {
  await product?.stop();
  removeDirectory(product.dataDir);
});

async function opened(): Promise<Socket> {
  const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** The status line of the response, or that there was none. */
async function ask(socket: Socket): Promise<string> {
  const answer = Promise.race([once(socket, "data"), once(socket, "close").then(() => ["closed"])]);
  socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return String((await answer)[0]).split("\r\n")[0] ?? "";
}

test("a used connection is kept for a proxy's next request, while a silent one is closed long before", async () => {
  const used = await opened();
  expect(await ask(used)).toBe("HTTP/1.1 200 OK");
  const silent = await opened();
  await once(silent, "close");
  expect(await ask(used)).toBe("HTTP/1.1 200 OK");
  used.destroy();
}, 60_000);
