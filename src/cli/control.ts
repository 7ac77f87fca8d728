import type { Answer, Progress } from "./answer.ts";

/** The socket below the data directory through which a server with an embedded database accepts commands, over HTTP. */
export const CONTROL_SOCKET = "control.sock";

/** The body of a request, as JSON. */
export type Asked = { version: string; typed: string[]; directory: string };
/** A line of the response, as JSON; the answer is the last. */
export type Said = { tell: string } | { progress: Progress } | { answer: Answer };
