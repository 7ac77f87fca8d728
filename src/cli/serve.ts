import { describeError, type Log } from "../runtime/log.ts";
import { type Control, openControl } from "./control_server.ts";
import { appContextOf, type Parts } from "./rooms.ts";

/**
 * Accepts commands of the command line in this server, as no other process can open the embedded database. A failure to create
 * the socket is only logged, as the server works without it.
 */
export async function serveCommands({ log, ...parts }: Parts & { log: Log }): Promise<Control | undefined> {
  const { database, dataDir } = parts.config;
  if (database.kind !== "embedded") return undefined;
  const own = appContextOf(parts, true);
  try {
    return await openControl(dataDir, async (typed, surroundings) => {
      // Loads the commands only when one is used.
      const { runForServer } = await import("./run.ts");
      return runForServer(typed, { ...own, ...surroundings });
    });
  } catch (error) {
    log.warn("The command line cannot be served while this process runs", describeError(error));
    return undefined;
  }
}
