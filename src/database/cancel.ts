import { connect, type NetConnectOpts } from "node:net";

/** What the server calls the process behind a connection, and what it wants to hear before it stops what that one does. */
export type Backend = { pid: number; secret: number };

/** The first word of a message that asks a server to stop the statement of another connection. */
const CANCEL_REQUEST = 80_877_102;

/** Asks a server to stop what it does for a connection, by one of its own; nobody is told whether it did. */
export function cancelStatement(place: NetConnectOpts, { pid, secret }: Backend): void {
  const message = Buffer.alloc(16);
  for (const [at, value] of [16, CANCEL_REQUEST, pid, secret].entries()) message.writeUInt32BE(value, 4 * at);
  const dialled = connect(place, () => dialled.end(message));
  // Where this fails the connection is cut a little later.
  dialled.on("error", () => dialled.destroy());
}
