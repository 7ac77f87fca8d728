// `kill -9` of the process that holds the data directory: the next one opens it, and finds every acknowledged row.
//   KILLS=100 SEED=7 bun test/faults/directory_kills.ts
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { cleared, folder } from "../backup/stage.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { randomOf } from "./scan_kills.ts";

const WORKER = join(import.meta.dirname, "directory_worker.ts");
const LATEST_KILL_MS = 400;

/** `apart`: in a separate PID namespace, like another container that shares the volume. */
export function spawnWorker(directory: string, apart = false) {
  const command = [process.execPath, WORKER, directory];
  return Bun.spawn(apart ? ["unshare", "--pid", "--fork", "--kill-child", ...command] : command, {
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Reads the worker's output: first that it is ready, and the rest once it has ended. */
export function listening(worker: ReturnType<typeof spawnWorker>) {
  const lines: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const over = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of worker.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      if (lines.length > 0) resolve();
    }
    resolve();
  })();
  return { lines, ready, over };
}

export async function directoryKills(kills: number, seed: number): Promise<{ acknowledged: number; lost: number }> {
  const random = randomOf(seed);
  const directory = join(folder(), "data");
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const worker = spawnWorker(directory);
    const { lines, ready, over } = listening(worker);
    await ready;
    if (lines[0] !== "ready") throw new Error(`It did not open: ${await new Response(worker.stderr).text()}`);
    await Bun.sleep(Math.floor(random() * LATEST_KILL_MS));
    worker.kill("SIGKILL");
    await Promise.all([worker.exited, over]);
    acknowledged.push(...lines.slice(1));
  }
  const opened = await openPglite(directory, undefined);
  const rows = await opened.transaction((tx) => rowsOf<{ key: string }>(tx, sql`select key from identity.attempts`));
  await opened.close();
  const kept = new Set(rows.map(({ key }) => key));
  return { acknowledged: acknowledged.length, lost: acknowledged.filter((id) => !kept.has(id)).length };
}

/** How long a second process takes, from its start, to name the directory's owner. */
export async function refusalMs(): Promise<number> {
  const directory = join(folder(), "data");
  const first = spawnWorker(directory);
  await listening(first).ready;
  const from = performance.now();
  await spawnWorker(directory).exited;
  const taken = Math.round(performance.now() - from);
  first.kill("SIGKILL");
  await first.exited;
  return taken;
}

async function all(kills: number, seed: number): Promise<Finding[]> {
  const { acknowledged, lost } = await directoryKills(kills, seed);
  const refused = await refusalMs();
  await cleared();
  return [
    atMost("R30", `${kills} kills, seed ${seed}: lost of ${acknowledged} acknowledged rows`, lost, 0),
    atLeast("R30", `${kills} kills, seed ${seed}: acknowledged rows`, acknowledged, 1),
    atMost("R30", "a second process is refused after seconds", refused / 1000, 2),
  ];
}

if (import.meta.main) await tell(all(Number(process.env.KILLS ?? 100), Number(process.env.SEED ?? 1)));
