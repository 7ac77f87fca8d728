import { done } from "./answer.ts";
import { command } from "./command.ts";

/** Handled by the parser, which knows all commands; defined here for the list of commands. */
export const help = command({
  name: "help",
  says: "Explain a command, or list all commands",
  arguments: [{ name: "command", says: "which one, such as users lock", optional: true, many: true }],
  examples: ["help users lock"],
  room: "none",
  run: async () => done(null),
});
