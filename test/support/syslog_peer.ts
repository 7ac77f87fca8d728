import { once } from "node:events";
import { createServer, type TLSSocket } from "node:tls";
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "./loopback_certificate.ts";

/** What the server does with a connection; "closes early" and "resets" lose what was sent. */
export type SyslogBehaviour = "reads" | "keeps open" | "closes early" | "resets" | "never reads";

/** A syslog server over TLS that understands octet counting (RFC 5425). */
export async function syslogPeer(hostname = "127.0.0.1") {
  const messages: string[] = [];
  const open = new Set<TLSSocket>();
  let behaviour: SyslogBehaviour = "reads";
  let connections = 0;

  /** Takes the whole frames from the front of what has arrived. */
  function take(bytes: Buffer): Buffer {
    const space = bytes.indexOf(" ");
    if (space < 0) return bytes;
    const digits = bytes.subarray(0, space).toString();
    if (!/^[1-9]\d*$/.test(digits)) throw new Error(`This is no frame: ${bytes.subarray(0, 60)}`);
    const end = space + 1 + Number(digits);
    if (bytes.length < end) return bytes;
    messages.push(bytes.subarray(space + 1, end).toString());
    return take(bytes.subarray(end));
  }

  const server = createServer({ key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE, allowHalfOpen: true }, (socket) => {
    connections += 1;
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    if (behaviour === "closes early") return void socket.end();
    if (behaviour === "resets") return void socket.destroy();
    if (behaviour === "never reads") return void socket.pause();
    let rest: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      rest = take(Buffer.concat([rest, chunk]));
    });
    socket.on("end", () => behaviour === "reads" && socket.end());
  });
  server.listen(0, hostname);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    messages,
    connections: () => connections,
    behave(as: SyslogBehaviour): void {
      behaviour = as;
    },
    stop(): void {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
