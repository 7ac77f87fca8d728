// Makes a fresh clone runnable: packages, an image of the empty database, the web build, the server as a bundle. Runs before any package is
// there, so it imports nothing but what Bun brings along. With `--without-builds`, for development, it builds nothing.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const INSTALLED = join(ROOT, "node_modules/.breachbell-installed");
const BUILT = join(ROOT, "web/dist/.built-from");
/** The bundle that `bun start` runs, with the hash of its sources. */
const SERVER = join(ROOT, "node_modules/.cache/breachbell/server");
const BUNDLED = join(SERVER, ".built-from");
const IMAGE = join(ROOT, "node_modules/.cache/breachbell/pglite.tar.gz");

function run(title: string, command: string[], help: string): void {
  console.log(`· ${title} …`);
  const started = performance.now();
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) {
    console.error(`${stdout}${stderr}\nCould not finish: ${title}. ${help}`);
    process.exit(1);
  }
  console.log(`  done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function hashOf(paths: string[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const path of paths.sort()) hasher.update(path).update(readFileSync(join(ROOT, path)));
  return hasher.digest("hex");
}

function filesIn(directory: string, wanted: (path: string) => boolean): string[] {
  return [...new Bun.Glob(`${directory}/**`).scanSync({ cwd: ROOT, dot: true })].filter(wanted);
}

function isCurrent(marker: string, hash: string): boolean {
  return existsSync(marker) && readFileSync(marker, "utf8") === hash;
}

const lock = hashOf(["package.json", "bun.lock"]);
if (!isCurrent(INSTALLED, lock)) {
  run(
    "Installing packages from the lockfile",
    [process.execPath, "install", "--frozen-lockfile"],
    "Is the npm registry reachable, and is the folder writable?",
  );
  writeFileSync(INSTALLED, lock);
}

if (!existsSync(IMAGE)) {
  run(
    "Preparing the embedded database",
    [process.execPath, "src/database/prepare.ts"],
    "About 1 GB of memory is needed for a moment.",
  );
}

if (process.argv.includes("--without-builds")) process.exit(0);

const sources = hashOf([
  ...filesIn("web", (path) => !path.startsWith("web/dist/")),
  ...filesIn("locales", (path) => path.endsWith(".json")),
  ...filesIn("src", (path) => path.startsWith("src/shared/") || path.endsWith("inputs.ts")),
  "bun.lock",
]);
if (!isCurrent(BUILT, sources)) {
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  run(
    "Building the web app",
    [process.execPath, vite, "build", "--config", "web/build/vite.config.ts"],
    "The messages above say why.",
  );
  run("Compressing its larger files", [process.execPath, join(ROOT, "web/build/compress.ts")], "Is the disk full?");
  writeFileSync(BUILT, sources);
}

// The bundle contains absolute paths.
const server = new Bun.CryptoHasher("sha256")
  .update(hashOf([...filesIn("src", () => true), "package.json", "bun.lock"]))
  .update(`${ROOT} ${Bun.version}`)
  .digest("hex");
if (!isCurrent(BUNDLED, server)) {
  run(
    "Bundling the server",
    [process.execPath, "src/build/bundle.ts", SERVER, server.slice(0, 16)],
    "The messages above say why.",
  );
  writeFileSync(BUNDLED, server);
}
