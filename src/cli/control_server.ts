import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { VERSION } from "../shared/product.ts";
import { type Answer, failed, mistyped } from "./answer.ts";
import type { Surroundings } from "./command.ts";
import { type Asked, CONTROL_SOCKET, lineReader, type Said } from "./control.ts";

type Run = (typed: string[], surroundings: Surroundings) => Promise<Answer>;

export type Control = { close(): Promise<void> };

function askedIn(line: string): Asked | undefined {
  try {
    const { version, typed, directory } = JSON.parse(line) as Partial<Asked>;
    const isAsked = Array.isArray(typed) && typed.every((word) => typeof word === "string");
    return isAsked && typeof version === "string" && typeof directory === "string"
      ? { version, typed, directory }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Each connection runs one command. Closing it, or sending anything else, cancels the command. */
function serve(socket: Socket, run: Run): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cancel = new AbortController();
  let began = false;
  const say = (said: Said) => void (socket.writable && socket.write(`${JSON.stringify(said)}\n`));

  async function answer(line: string): Promise<Answer> {
    const asked = askedIn(line);
    if (asked === undefined) return mistyped("The running server did not understand the command line");
    if (asked.version !== VERSION)
      return failed(
        "OTHER_VERSION",
        `The running server is version ${VERSION}, this command line is ${asked.version}: use the same`,
      );
    const { typed, directory } = asked;
    const surroundings = { directory, signal: cancel.signal };
    return run(typed, {
      ...surroundings,
      tell: (text) => say({ tell: text }),
      progress: (state) => say({ progress: state }),
    });
  }

  const take = lineReader((line) => {
    if (began) return cancel.abort();
    began = true;
    answer(line)
      .then((given) => socket.end(`${JSON.stringify({ answer: given } satisfies Said)}\n`))
      .catch(() => socket.destroy())
      .finally(resolve);
  });
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    try {
      take(String(chunk));
    } catch {
      socket.destroy();
    }
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    cancel.abort();
    if (!began) resolve();
  });
  return over;
}

/**
 * Accepts commands through a socket in the data directory, for its owner only. The caller holds the lock on the directory, so an
 * existing socket is left over from a killed process.
 */
export async function openControl(dataDir: string, run: Run): Promise<Control> {
  const path = join(dataDir, CONTROL_SOCKET);
  const cradle = join(dataDir, `.c${process.pid}`);
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    const served = serve(socket, run).finally(() => running.delete(served));
    running.add(served);
  });
  // Created in a private directory and moved once only the owner may use it, so that it is never open to others.
  rmSync(cradle, { recursive: true, force: true });
  mkdirSync(cradle, { mode: 0o700 });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(join(cradle, "s"), resolve);
    });
    chmodSync(join(cradle, "s"), 0o600);
    renameSync(join(cradle, "s"), path);
  } finally {
    rmSync(cradle, { recursive: true, force: true });
  }
  const { ino } = statSync(path);
  return {
    async close() {
      if (statSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(running);
    },
  };
}
