import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A forward proxy that sends every tunnel to `port` on this machine, and answers plain requests itself. */
export async function startProxyPeer(port: number) {
  /** What it was asked for, such as `CONNECT hooks.example:443`. */
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end("by the proxy");
  });
  server.on("connect", ({ url }, client) => {
    asked.push(`CONNECT ${url}`);
    const target = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(target);
      target.pipe(client);
    });
    client.on("error", () => target.destroy());
    target.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    asked,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
