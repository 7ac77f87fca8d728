import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../shared/product.ts";
import { type Answer, failed, mistyped } from "./answer.ts";
import type { Surroundings } from "./command.ts";
import { type Asked, CONTROL_SOCKET, type Said } from "./control.ts";

type Run = (typed: string[], surroundings: Surroundings) => Promise<Answer>;

export type Control = { close(): Promise<void> };

/** Upper limit for commands, which are lists of addresses at most. */
const LONGEST_REQUEST = 8 * 1024 * 1024;

function askedIn(body: string): Asked | undefined {
  try {
    const { version, typed, directory } = JSON.parse(body) as Partial<Asked>;
    const isAsked = Array.isArray(typed) && typed.every((word) => typeof word === "string");
    return isAsked && typeof version === "string" && typeof directory === "string"
      ? { version, typed, directory }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the command of a request, and says what happens line by line; a closed connection cancels it. */
async function answerTo(request: Request, run: Run, say: (said: Said) => void): Promise<Answer> {
  const asked = askedIn(await request.text());
  if (asked === undefined) return mistyped("The running server did not understand the command line");
  const { version, typed, directory } = asked;
  if (version !== VERSION)
    return failed(
      "OTHER_VERSION",
      `The running server is version ${VERSION}, this command line is ${version}: use the same`,
    );
  return run(typed, {
    directory,
    signal: request.signal,
    tell: (text) => say({ tell: text }),
    progress: (state) => say({ progress: state }),
  });
}

/**
 * Accepts commands through a socket in the data directory, for its owner only. The caller holds the lock on the directory, so an
 * existing socket is left over from a killed process.
 */
export async function openControl(dataDir: string, run: Run): Promise<Control> {
  const path = join(dataDir, CONTROL_SOCKET);
  const cradle = join(dataDir, `.c${process.pid}`);
  const running = new Set<Promise<unknown>>();

  function respond(request: Request): Response {
    const lines = new TransformStream<Uint8Array, Uint8Array>();
    const writer = lines.writable.getWriter();
    // Writing fails after the client has disconnected.
    const say = (said: Said) => void writer.write(Buffer.from(`${JSON.stringify(said)}\n`)).catch(() => {});
    const answering = answerTo(request, run, say)
      .then((answer) => say({ answer }))
      .finally(() => writer.close().catch(() => {}))
      .finally(() => running.delete(answering));
    running.add(answering);
    return new Response(lines.readable);
  }

  // Created in a private directory and moved once only the owner may use it, so that it is never open to others.
  rmSync(cradle, { recursive: true, force: true });
  mkdirSync(cradle, { mode: 0o700 });
  let server: Bun.Server<undefined>;
  try {
    server = Bun.serve({
      unix: join(cradle, "s"),
      // A command may say nothing for long. Bun's types lack this option for sockets.
      ...({ idleTimeout: 0 } as object),
      maxRequestBodySize: LONGEST_REQUEST,
      fetch: respond,
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
      await server.stop(true);
      await Promise.all(running);
    },
  };
}
