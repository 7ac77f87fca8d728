import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";

/** A pipe for a child's output that is not read until `read` is called. */
export async function unreadPipe() {
  const directory = temporaryDirectory();
  const path = join(directory, "pipe");
  const made = Bun.spawnSync(["mkfifo", path]);
  if (made.exitCode !== 0) throw new Error(`Cannot make a pipe: ${made.stderr}`);
  const own = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  const bytes = Buffer.alloc(64 * 1024);
  return {
    fd,
    /** Its current content. */
    read(): string {
      let text = "";
      try {
        for (;;) text += bytes.toString("utf8", 0, readSync(own, bytes));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      }
      return text;
    },
    close(): void {
      closeSync(fd);
      closeSync(own);
      removeDirectory(directory);
    },
  };
}
