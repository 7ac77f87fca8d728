// `bun run dev`: the server, started again after each change in `src/`, behind Vite's dev server, which shows a change in `web/`
// at once. Nothing is built. `--pseudo` shows the words of `locales/` with accents.
import { join } from "node:path";
import { createServer } from "vite";
import { developmentPages } from "./dev_pages.ts";
import { runRestarting } from "./dev_restarts.ts";

const ROOT = join(import.meta.dirname, "../..");
const DEFAULT_PORT = 3000;

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  listener.stop(true);
  return listener.port;
}

/** Reports the first answer after each start, with the time that it took. */
async function tellStarts(server: string): Promise<never> {
  const isUp = () =>
    fetch(`${server}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  let since = performance.now();
  for (let wasUp = false; ; ) {
    const up = await isUp();
    if (up && !wasUp) console.log(`· Server ready after ${((performance.now() - since) / 1000).toFixed(2)} s`);
    if (!up && wasUp) since = performance.now();
    wasUp = up;
    await Bun.sleep(up ? 100 : 25);
  }
}

const port = Number(process.env.PORT || DEFAULT_PORT);
const host = process.env.HOST || "127.0.0.1";
const serverPort = freePort();
const server = `http://127.0.0.1:${serverPort}`;

const running = runRestarting({
  ...process.env,
  PORT: String(serverPort),
  HOST: "127.0.0.1",
  PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
});

const vite = await createServer({
  configFile: join(ROOT, "web/build/vite.config.ts"),
  mode: process.argv.includes("--pseudo") ? "pseudo" : "development",
  plugins: [developmentPages(server)],
  server: { port, host, strictPort: true },
});
await vite.listen().catch(async (error: Error) => {
  console.error(`Cannot listen on ${host}:${port}: ${error.message}. Another port: PORT=3001`);
  await running.stop();
  process.exit(1);
});

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await Promise.all([running.stop(), vite.close()]);
    process.exit(0);
  });
void tellStarts(server);
console.log(`· Pages, with every change at once: http://localhost:${port}`);
