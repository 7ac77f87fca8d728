import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Publishes the next breach of an example address for a product with this data directory; with `--all`, also those after it. */
export function publishBreach(dataDir: string, ...more: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "src/build/publish_breach.ts", ...more], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
}
