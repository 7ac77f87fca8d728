import { readFileSync } from "node:fs";
import { connect, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { messageOf } from "../shared/connection_failure.ts";
import type { ConnectionString, Encryption, Host } from "./connection_string.ts";

/** TLS negotiation failed; retrying will not help. */
export class NoAgreement extends Error {}

/** The code of the protocol's SSLRequest message. */
const SSL_REQUEST = 80_877_103;
const [YES, NO] = ["S", "N"].map((letter) => letter.charCodeAt(0));

export function placeOf({ name, port }: Host): { path: string } | { host: string; port: number } {
  return name.startsWith("/") ? { path: `${name}/.s.PGSQL.${port}` } : { host: name, port };
}

export function nameOf({ name, port }: Host): string {
  return name.startsWith("/") ? name : `${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Rejects when the socket fails or closes before `event`. */
function once(socket: Socket, event: "connect" | "secureConnect" | "data"): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onClose = () => reject(new Error("the connection was cut"));
  socket.once(event, resolve).once("error", reject).once("close", onClose);
  return promise.finally(() => socket.off(event, resolve).off("error", reject).off("close", onClose));
}

/** Reads the files that an encryption names; the error says which one cannot be read. */
function certificatesOf({ rootCertificate, client }: Encryption): Pick<ConnectionOptions, "ca" | "cert" | "key"> {
  function contentOf(parameter: string, path: string): string {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      throw new Error(`Cannot read "${path}", which DATABASE_URL names as ${parameter}: ${messageOf(error)}`);
    }
  }
  return {
    ...(rootCertificate !== undefined && { ca: contentOf("sslrootcert", rootCertificate) }),
    ...(client && { cert: contentOf("sslcert", client.certificate), key: contentOf("sslkey", client.key) }),
  };
}

/** Whether the server agrees to encrypt this connection. */
async function offersTls(socket: Socket): Promise<boolean> {
  const request = Buffer.alloc(8);
  request.writeUInt32BE(8, 0);
  request.writeUInt32BE(SSL_REQUEST, 4);
  const answer = once(socket, "data");
  socket.write(request);
  const bytes = (await answer) as Buffer;
  socket.pause();
  // More than the letter would have been slipped in before the encryption.
  if (bytes.length !== 1 || (bytes[0] !== YES && bytes[0] !== NO))
    throw new NoAgreement("it does not speak Postgres's protocol");
  return bytes[0] === YES;
}

/** Opens connections to the hosts of one connection string, beginning with the one that answered last. */
export function dialler({ hosts, encryption, connectMs }: ConnectionString) {
  const { mode } = encryption;
  const certificates = certificatesOf(encryption);
  let first = 0;

  async function encrypted(socket: Socket, { name }: Host): Promise<Socket> {
    const secured = connectTls({
      ...certificates,
      socket,
      ...(isIP(name) ? { host: name } : { servername: name }),
      rejectUnauthorized: mode === "verify-ca" || mode === "verify-full",
      ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
    });
    try {
      await once(secured, "secureConnect");
    } catch (error) {
      throw new NoAgreement(messageOf(error));
    }
    return secured;
  }

  async function opened(host: Host, signal: AbortSignal): Promise<Socket> {
    const socket = connect(placeOf(host));
    const stop = () => socket.destroy();
    signal.addEventListener("abort", stop);
    // Failures reach the caller through `once`, and later through the listeners of whoever uses the socket.
    socket.on("error", () => {});
    try {
      signal.throwIfAborted();
      await once(socket, "connect");
      if (mode === "disable" || host.name.startsWith("/")) return socket;
      if (await offersTls(socket)) return await encrypted(socket, host);
      if (mode !== "allow" && mode !== "prefer")
        throw new NoAgreement(`it offers no TLS, which sslmode=${mode} requires`);
      return socket.resume();
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  function joined(failures: Error[]): Error {
    const reasons = failures.map((failure, turn) => {
      const host = hosts[(first + turn) % hosts.length] as Host;
      return hosts.length > 1 ? `${nameOf(host)}: ${messageOf(failure)}` : messageOf(failure);
    });
    const Kind = failures.every((failure) => failure instanceof NoAgreement) ? NoAgreement : Error;
    return new Kind(reasons.join("; "));
  }

  return {
    /** An open connection on which a client may sign in. */
    async dial(signal: AbortSignal): Promise<{ socket: Socket; host: Host }> {
      const failures: Error[] = [];
      for (let turn = 0; ; turn++) {
        const at = (first + turn) % hosts.length;
        const host = hosts[at] as Host;
        const limited = connectMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
        try {
          const socket = await opened(host, limited);
          first = at;
          return { socket, host };
        } catch (error) {
          signal.throwIfAborted();
          failures.push(limited.aborted ? new Error("no answer in time") : (error as Error));
          if (failures.length === hosts.length) throw joined(failures);
        }
      }
    },
    /** Begins the next time with the host after this one, which accepts no changes. */
    avoid(host: Host): void {
      if (hosts[first] === host) first = (first + 1) % hosts.length;
    },
  };
}

export type Dialler = ReturnType<typeof dialler>;
