import { connect, type TLSSocket } from "node:tls";
import type { EventSink, OperatorEvent } from "../../event_log_ports.ts";

const APP_NAME = "breachbell";
/** Log audit (13), severity notice (5). */
const PRIORITY = 13 * 8 + 5;
const TIMEOUT_MS = 20_000;
/** A server never closes first: one that does so within this time after a batch has not taken it. */
const SETTLE_MS = 250;
/** How long a server may take to close its side after ours. One that keeps it open has received everything. */
const CLOSE_MS = 3000;

export type SyslogConfig = { host: string; port: number };
type SyslogDeps = SyslogConfig & {
  /** This installation's host name. */
  hostName: string;
  timeoutMs?: number;
  closeMs?: number;
};

/** A message of RFC 5424 without structured data, whose text is the event as JSON. */
export function syslogMessage(event: OperatorEvent, hostName: string): string {
  return `<${PRIORITY}>1 ${event.time} ${hostName} ${APP_NAME} - ${event.type} - ${JSON.stringify(event)}`;
}

/** Octet counting (RFC 5425, section 4.3): the length in bytes before each message. */
export function framed(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Connects, with the server's certificate verified; throws otherwise. */
export function connectSyslog({ host, port }: SyslogConfig, timeoutMs = TIMEOUT_MS): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const servername = /^[\d.]+$|:/.test(host) ? undefined : host;
    const socket = connect({ host, port, ...(servername && { servername }) });
    const timer = setTimeout(() => socket.destroy(new Error("No connection in time")), timeoutMs);
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once("error", reject);
    socket.once("close", () => {
      clearTimeout(timer);
      reject(new Error("The connection was closed"));
    });
  });
}

/** Writes everything, closes our side and waits for the server to close its own, which it does after the last message. */
function delivered(socket: TLSSocket, text: string, closeMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tooEarly = () => reject(new Error("The server closed the connection too early"));
  socket.on("error", reject);
  socket.on("end", tooEarly);
  socket.on("close", tooEarly);
  // Servers send nothing; reading is what notices that the other side has closed.
  socket.resume();
  socket.write(text, () => {
    setTimeout(() => {
      socket.off("end", tooEarly);
      socket.off("close", tooEarly);
      socket.on("close", (hasFailed) => (hasFailed ? tooEarly() : resolve()));
      socket.end();
      setTimeout(resolve, closeMs);
    }, SETTLE_MS);
  });
  return promise;
}

/**
 * Sends events to a syslog server over TLS. Syslog has no acknowledgements, so each batch has a connection of its own, and has
 * arrived once the server has closed it without an error.
 */
export function syslogSink({ hostName, timeoutMs = TIMEOUT_MS, closeMs = CLOSE_MS, ...server }: SyslogDeps): EventSink {
  return {
    name: "syslog",
    async send(events) {
      const socket = await connectSyslog(server, timeoutMs);
      const timer = setTimeout(() => socket.destroy(new Error("Not all was taken in time")), timeoutMs);
      try {
        await delivered(socket, events.map((event) => framed(syslogMessage(event, hostName))).join(""), closeMs);
      } finally {
        clearTimeout(timer);
        socket.destroy();
      }
    },
  };
}
