import { connect, type Socket } from "node:net";
import type { Resolved } from "./request.ts";

/** How long an address has before the next is tried beside it (RFC 8305, section 8). */
const HEAD_START_MS = 250;

/** The first of a host's addresses to accept a connection; undefined if none does in time. */
export function firstReachable(addresses: Resolved[], port: number, timeoutMs: number): Promise<Resolved | undefined> {
  const { promise, resolve } = Promise.withResolvers<Resolved | undefined>();
  const waiting = [...addresses];
  const trying = new Set<Socket>();
  let headStart: Timer | undefined;

  function tryNext(): void {
    clearTimeout(headStart);
    const at = waiting.shift();
    if (at === undefined) {
      if (trying.size === 0) resolve(undefined);
      return;
    }
    const socket = connect({ host: at.address, port });
    trying.add(socket);
    socket.once("connect", () => resolve(at));
    socket.once("error", () => {
      trying.delete(socket);
      tryNext();
    });
    headStart = setTimeout(tryNext, HEAD_START_MS);
  }

  tryNext();
  const late = setTimeout(resolve, timeoutMs, undefined);
  return promise.finally(() => {
    for (const timer of [late, headStart]) clearTimeout(timer);
    for (const socket of trying) socket.destroy();
  });
}
