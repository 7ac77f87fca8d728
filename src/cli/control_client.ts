import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { VERSION } from "../shared/product.ts";
import { type Answer, unreachable } from "./answer.ts";
import type { Surroundings } from "./command.ts";
import { CONTROL_SOCKET, lineReader, type Said } from "./control.ts";

const CANCEL_MS = 3000;
const LOST: Answer = unreachable(
  "CONNECTION_LOST",
  "The server ended before it had answered: what was asked may be done or not. Run the command again",
);

/** Connects to the running server; undefined when none accepts commands. */
function reach(dataDir: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(dataDir, CONTROL_SOCKET));
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EACCES"
        ? reject(new Error(`Cannot use "${join(dataDir, CONTROL_SOCKET)}": it belongs to another user`))
        : resolve(undefined),
    );
  });
}

/** Has the running server execute the command; undefined when there is none. */
export async function handOver(
  dataDir: string,
  typed: string[],
  { directory, signal, tell, progress }: Surroundings,
): Promise<Answer | undefined> {
  const socket = await reach(dataDir);
  if (socket === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const take = lineReader((line) => {
    const said = JSON.parse(line) as Said;
    if ("tell" in said) tell(said.tell);
    else if ("progress" in said) progress(said.progress);
    else resolve(said.answer);
  });
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => take(String(chunk)));
  socket.on("error", () => resolve(LOST));
  socket.on("close", () => resolve(LOST));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    socket.write("cancel\n");
    const code = "CANCELLED";
    const message = "Cancelled; the server ends what it is at";
    timer = setTimeout(() => resolve({ code: 130, data: null, shown: [], error: { code, message } }), CANCEL_MS);
  };
  signal.addEventListener("abort", cancel, { once: true });
  socket.write(`${JSON.stringify({ version: VERSION, typed, directory })}\n`);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    socket.destroy();
  }
}
