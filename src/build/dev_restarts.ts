import { watch } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const WATCHED = ["src", "locales", "migrations"];
/** What a waiting process has loaded already. */
const PRELOADED = ["src/build/dev_server.ts", "src/database/pglite_wasm.ts"];
/** An editor writes a file in several steps. */
const SETTLED_AFTER_MS = 20;
/** The next process loads once the present one has had time to start. */
const PREPARED_AFTER_MS = 1500;
const STOP_WITHIN_MS = 5000;

type Environment = Record<string, string | undefined>;
type Server = Bun.Subprocess<"pipe", "inherit", "inherit">;

function spawnServer(env: Environment): Server {
  return Bun.spawn([process.execPath, join(import.meta.dirname, "dev_server.ts"), "--no-pages"], {
    cwd: ROOT,
    env,
    stdin: "pipe",
    stdout: "inherit",
    stderr: "inherit",
  });
}

async function stopServer(server: Server): Promise<void> {
  server.kill("SIGTERM");
  const late = setTimeout(() => server.kill("SIGKILL"), STOP_WITHIN_MS);
  await server.exited;
  clearTimeout(late);
}

/** Calls `changed` with the paths that changed, once no further change follows. */
function watchCode(changed: (paths: Set<string>) => void): () => void {
  let paths = new Set<string>();
  let settled: Timer | undefined;
  const watchers = WATCHED.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, (_, path) => {
      if (path) paths.add(join(folder, path));
      clearTimeout(settled);
      settled = setTimeout(() => {
        changed(paths);
        paths = new Set();
      }, SETTLED_AFTER_MS);
    }),
  );
  return () => {
    clearTimeout(settled);
    for (const watcher of watchers) watcher.close();
  };
}

/**
 * Runs the server, and again after each change of its code. The next process waits with the embedded Postgres compiled, so that a
 * restart takes less than a second.
 */
export function runRestarting(env: Environment): { stop(): Promise<void> } {
  let running = spawnServer(env);
  let next: Server | undefined;
  let preparing: Timer | undefined;
  let restarting = Promise.resolve();
  let isStopping = false;

  function begin(server: Server): void {
    void server.exited.then((code) => {
      if (server === running && !isStopping) console.error(`· Server ended with ${code}: waiting for a change`);
    });
    server.stdin.write("start\n");
    void server.stdin.end();
    preparing = setTimeout(() => {
      next = spawnServer(env);
    }, PREPARED_AFTER_MS);
  }

  async function restart(paths: Set<string>): Promise<void> {
    clearTimeout(preparing);
    if (PRELOADED.some((path) => paths.has(path))) {
      next?.kill("SIGKILL");
      next = undefined;
    }
    const previous = running;
    running = next ?? spawnServer(env);
    next = undefined;
    // The database survives it, and a graceful stop takes longer.
    previous.kill("SIGKILL");
    await previous.exited;
    begin(running);
  }

  begin(running);
  const unwatch = watchCode((paths) => {
    restarting = restarting.then(() => restart(paths));
  });
  return {
    async stop() {
      isStopping = true;
      unwatch();
      await restarting;
      clearTimeout(preparing);
      next?.kill("SIGKILL");
      await stopServer(running);
    },
  };
}
