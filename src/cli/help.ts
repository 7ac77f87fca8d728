import { done } from "./answer.ts";
import { command } from "./command.ts";

/** Shown by the parser, which knows all commands; this is how it is listed. */
export const help = command({
  name: "help",
  says: "Explain a command, or list all of them",
  arguments: [{ name: "command", says: "which one, such as users lock", optional: true, many: true }],
  examples: ["help users lock"],
  room: "desk",
  run: async () => done(null),
});
