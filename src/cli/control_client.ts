import { join } from "node:path";
import { VERSION } from "../shared/product.ts";
import { type Answer, cancelled, unreachable } from "./answer.ts";
import type { Surroundings } from "./command.ts";
import { type Asked, CONTROL_SOCKET, type Said } from "./control.ts";

const CANCELLED = cancelled("Cancelled; the server ends what it is at");
const LOST = unreachable(
  "CONNECTION_LOST",
  "The server ended before it had answered: what was asked may be done or not. Run the command again",
);
/** No socket, or one that is left over from a killed server. */
const NOBODY = new Set(["ENOENT", "ECONNREFUSED"]);

/** Has the running server execute the command; undefined when there is none. */
export async function handOver(
  dataDir: string,
  typed: string[],
  { directory, signal, tell, progress }: Surroundings,
): Promise<Answer | undefined> {
  const socket = join(dataDir, CONTROL_SOCKET);
  const body = JSON.stringify({ version: VERSION, typed, directory } satisfies Asked);
  try {
    const sent = { unix: socket, method: "POST", body, redirect: "manual", signal, timeout: false } as const;
    const response = await fetch("http://server/", sent);
    for await (const line of linesOf(response)) {
      const said = JSON.parse(line) as Said;
      if ("tell" in said) tell(said.tell);
      else if ("progress" in said) progress(said.progress);
      else return said.answer;
    }
    return LOST;
  } catch (error) {
    if (signal.aborted) return CANCELLED;
    const { code = "" } = error as { code?: string };
    if (NOBODY.has(code)) return undefined;
    if (code === "EACCES") throw new Error(`Cannot use "${socket}": it belongs to another user`);
    return LOST;
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
