import { join } from "node:path";
import { freePort } from "../support/ports.ts";
import { unreadPipe } from "../support/unread_pipe.ts";
import { eventually, METRICS_TOKEN, removeDirectory, temporaryDirectory } from "./product.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Requests that cause more lines than the pipe and the process can buffer together. */
export const MORE_THAN_FITS = 3000;
const AT_ONCE = 30;

/** The product with both of its outputs on a pipe whose reader has stopped. */
export async function startUnread() {
  const [pipe, dataDir, port] = [await unreadPipe(), temporaryDirectory(), await freePort()];
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: ROOT,
    env: { ...env, PORT: String(port), DATA_DIR: dataDir, METRICS_TOKEN, LOG_LEVEL: "debug", WATCHDOG_SECONDS: "0" },
    stdout: pipe.fd,
    stderr: pipe.fd,
  });
  const url = `http://localhost:${port}`;
  await eventually(
    "the product answers",
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined,
    90_000,
  );
  return {
    url,
    pipe,
    child,
    async close(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
      pipe.close();
      removeDirectory(dataDir);
    },
  };
}
export type UnreadProduct = Awaited<ReturnType<typeof startUnread>>;

/** The number of requests that are not answered, or not within `withinMs`. */
export async function unanswered({ url }: UnreadProduct, count: number, withinMs: number): Promise<number> {
  let left = count;
  let missing = 0;
  async function asker(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const answer = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(withinMs) }).catch(() => undefined);
      missing += Number(answer?.status !== 200);
      await answer?.text();
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return missing;
}
