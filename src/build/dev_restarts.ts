import { watch } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const WATCHED = ["src", "locales", "migrations"];
/** An editor writes a file in several steps. */
const SETTLED_AFTER_MS = 20;
const STOP_WITHIN_MS = 5000;

type Environment = Record<string, string | undefined>;
type Server = Bun.Subprocess<"ignore", "inherit", "inherit">;

function spawnServer(env: Environment): Server {
  return Bun.spawn([process.execPath, join(ROOT, "src/main.ts"), "--no-pages"], {
    cwd: ROOT,
    env,
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

/** Calls `changed` once no further change follows. */
function watchCode(changed: () => void): () => void {
  let settled: Timer | undefined;
  const watchers = WATCHED.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(settled);
      settled = setTimeout(changed, SETTLED_AFTER_MS);
    }),
  );
  return () => {
    clearTimeout(settled);
    for (const watcher of watchers) watcher.close();
  };
}

/** Runs the server, and again after each change of its code. */
export function runRestarting(env: Environment): { stop(): Promise<void> } {
  let running: Server | undefined;
  let restarting = Promise.resolve();

  function start(): void {
    const server = spawnServer(env);
    running = server;
    void server.exited.then((code) => {
      if (server === running) console.error(`· Server ended with ${code}: waiting for a change`);
    });
  }

  /** Ends the server, which is expected now. */
  async function end(how: (server: Server) => unknown): Promise<void> {
    const previous = running;
    running = undefined;
    if (previous) await how(previous);
    await previous?.exited;
  }

  start();
  const unwatch = watchCode(() => {
    // The database survives it, and a graceful stop takes longer.
    restarting = restarting.then(() => end((server) => server.kill("SIGKILL"))).then(start);
  });
  return {
    async stop() {
      unwatch();
      await restarting;
      await end(stopServer);
    },
  };
}
