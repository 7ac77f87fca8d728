import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/ports.ts";

const ROOT = join(import.meta.dirname, "../..");
/** What `bun start` runs: the bundle that `prepare.ts` has just built. */
const PRODUCT = "node_modules/.cache/breachbell/server/main.js";
const WITHIN_MS = 60_000;
const EMPTY = `Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), fetch: () => new Response("") })`;

export type Started = {
  url: string;
  /** From the process' start to its first response. */
  ms: number;
  /** Its current memory usage in MB. */
  megabytes(): number;
  stop(): Promise<void>;
};

/** A new process, polled closely: the product, or the minimal server. */
export async function startWatched(what: "product" | "empty", env: Record<string, string> = {}): Promise<Started> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = what === "product" ? [PRODUCT] : ["-e", EMPTY];
  const from = performance.now();
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: ROOT,
    stdout: "ignore",
    stderr: "inherit",
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", PORT: String(port), ...env },
  });
  process.on("exit", () => child.kill("SIGKILL"));
  const path = what === "product" ? "/readyz" : "/";
  for (;;) {
    const answer = await fetch(url + path).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) break;
    if (child.exitCode !== null) throw new Error(`The process ended with ${child.exitCode}`);
    if (performance.now() - from > WITHIN_MS) throw new Error(`No answer within ${WITHIN_MS} ms`);
    await Bun.sleep(2);
  }
  return {
    url,
    ms: performance.now() - from,
    megabytes() {
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      return Number(kilobytes) / 1024;
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
