import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import postgres from "postgres";
import { freePort } from "./ports.ts";

export type PostgresServer = {
  /** The superuser's URL of the database `postgres`: loopback only, with a random password. */
  url: string;
  port: number;
  /** The directory of its Unix socket. */
  socketDirectory: string;
  /** `immediate` simulates a crash: connections are cut and the write-ahead log is replayed. */
  restart(mode: "fast" | "immediate", whileDown?: () => void): Promise<void>;
  /** Freezes every process of the cluster: its sockets stay open and nothing responds. */
  pause(): void;
  resume(): void;
  /**
   * Stops the cluster and removes its files. This also happens automatically when this process ends, however it ends.
   */
  stop(): Promise<void>;
};

const PLACES = [
  "/usr/lib/postgresql",
  "/opt/homebrew/opt",
  "/usr/local/opt",
  "/home/linuxbrew/.linuxbrew/opt",
  "/Applications/Postgres.app/Contents/Versions",
];

/** The folder of `initdb`, `pg_ctl` and `postgres`: on the PATH, or the newest one in the usual locations. */
function findBinaries(): string {
  const versionOf = (name: string) => Number.parseFloat(name.replace(/^postgresql@?/, "")) || 0;
  const installed = PLACES.filter((place) => existsSync(place)).flatMap((place) =>
    readdirSync(place)
      .filter((name) => /^(postgresql(@\d+)?|\d+(\.\d+)?)$/.test(name))
      .sort((one, other) => versionOf(other) - versionOf(one))
      .map((name) => join(place, name, "bin")),
  );
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...installed];
  const tools = ["initdb", "pg_ctl", "postgres"];
  const found = folders.find((folder) => tools.every((tool) => existsSync(join(folder, tool))));
  if (found !== undefined) return found;
  throw new Error(
    "Cannot find Postgres (initdb, pg_ctl, postgres), which these tests start: install it (Debian, Ubuntu: " +
      '"apt-get install postgresql"; macOS: "brew install postgresql@17") or put its bin folder on the PATH',
  );
}

/** Postgres refuses to run as root, so root runs it as `postgres` or `nobody`; other users run it as themselves. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!user) throw new Error('Cannot start Postgres as root: there is no user "postgres" or "nobody" to run it as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function childrenOf(parent: number): number[] {
  const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout.trim().split("\n");
  const pairs = listed.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, ppid]) => ppid === parent).flatMap(([pid]) => pid ?? []);
}

/** The port that a server listening on port 0 was given. */
function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/** What a server encrypts with, and the lines of its `pg_hba.conf`. */
type Encrypted = { key: string; certificate: string; authority: string; access: string[] };

/** Starts a temporary Postgres: a fresh cluster in a temporary folder, on a free port; it touches no other. */
export async function startPostgresServer({
  encrypted,
  autovacuum = "on",
}: {
  encrypted?: Encrypted;
  autovacuum?: "on" | "off";
} = {}): Promise<PostgresServer> {
  const binaries = findBinaries();
  const user = serverUser();
  const root = mkdtempSync(join(tmpdir(), "bb-pg-"));
  const data = join(root, "data");
  const log = join(root, "log");
  const passwordFile = join(root, "password");
  const password = randomBytes(16).toString("hex");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [root, passwordFile]) chownSync(path, user.uid, user.gid);

  // However this process ends, its end of the pipe closes; then the watchdog removes the cluster.
  const farewell = `trap '' INT TERM HUP; read _; "$0" stop -s -D "$1/data" -m immediate; rm -rf "$1"`;
  const pgCtl = join(binaries, "pg_ctl");
  const watchman = spawn("sh", ["-c", farewell, pgCtl, root], {
    ...user,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  const gone = new Promise((resolve) => watchman.on("exit", resolve));
  watchman.unref();

  async function run(tool: string, args: string[]): Promise<void> {
    const child = spawn(join(binaries, tool), args, { ...user, cwd: root, stdio: ["ignore", "ignore", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (text) => {
      complaint += text;
    });
    // Not "close": the daemon that pg_ctl leaves running inherits the pipe.
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("exit", resolve));
    child.stderr.destroy();
    const logged = existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "";
    if (code !== 0) throw new Error(`Cannot run ${tool} (exit ${code}): ${complaint}${logged}`);
  }
  const control = (...args: string[]) => run("pg_ctl", [...args, "-D", data, "-w", "-t", "60", "-l", log]);

  const access = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  await run("initdb", ["-D", data, ...access, "-E", "UTF8", "--no-locale", "--no-sync"]);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: `'${root}'`,
    // Commits reach the operating system's cache, so a crash of Postgres loses none; only a power cut would.
    fsync: "off",
    full_page_writes: "off",
    timezone: "'UTC'",
    autovacuum,
  };
  if (encrypted) {
    const { key, certificate, authority, access: rules } = encrypted;
    for (const [name, content] of Object.entries({ key, certificate, authority })) {
      writeFileSync(join(data, `${name}.pem`), content, { mode: 0o600 });
      if (user) chownSync(join(data, `${name}.pem`), user.uid, user.gid);
    }
    const files = { ssl_key_file: "'key.pem'", ssl_cert_file: "'certificate.pem'", ssl_ca_file: "'authority.pem'" };
    Object.assign(settings, { ssl: "on", ...files });
    writeFileSync(join(data, "pg_hba.conf"), `${rules.join("\n")}\n`);
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(data, "postgresql.conf"), lines.join(""), { flag: "a" });
  await control("start");

  let frozen: number[] = [];
  function signal(pids: number[], name: "SIGSTOP" | "SIGCONT"): void {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // A backend that has just ended needs no signal.
      }
    }
  }
  function resume(): void {
    signal(frozen, "SIGCONT");
    frozen = [];
  }

  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    socketDirectory: root,
    async restart(mode, whileDown) {
      await control("stop", "-m", mode);
      whileDown?.();
      await control("start");
    },
    pause() {
      const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      // The parent first, so that it cannot fork between the listing and the signals.
      signal([postmaster], "SIGSTOP");
      frozen = [postmaster, ...childrenOf(postmaster)];
      signal(frozen, "SIGSTOP");
    },
    resume,
    async stop() {
      resume();
      watchman.stdin.end();
      await gone;
    },
  };
}

let shared: Promise<PostgresServer> | undefined;

/**
 * The server shared by all tests of this process: `TEST_DATABASE_URL`, or one started on first use. Without autovacuum,
 * so that query plans depend only on what a test inserts and analyzes.
 */
export async function sharedPostgresUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  shared ??= startPostgresServer({ autovacuum: "off" });
  return (await shared).url;
}

/**
 * Creates a database with a random name on the server at `url`, empty or from a template without connections, and
 * returns its URL.
 */
export async function createDatabase(url: string, like?: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const client = postgres(url, { max: 1 });
  const template = like === undefined ? "" : `template ${new URL(like).pathname.slice(1)}`;
  await client.unsafe(`create database ${name} ${template}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

export type SilentProxy = {
  /** `url` through the proxy. */
  through(url: string): string;
  /** From now on every byte in either direction is dropped, and no connection is ever closed. */
  silence(): void;
  speak(): void;
  close(): Promise<void>;
};

/** A TCP proxy that can make its connections half-open, like a firewall that lost their state. */
export async function startSilentProxy(targetPort: number): Promise<SilentProxy> {
  let silent = false;
  const sockets = new Set<Socket>();

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    let lost = false;
    from.on("data", (bytes) => {
      lost ||= silent;
      if (!lost) to.write(bytes);
    });
    from.on("error", () => from.destroy());
    from.on("close", () => {
      sockets.delete(from);
      if (!silent && !lost) to.destroy();
    });
  }

  const server = createServer((client) => {
    const upstream = connect(targetPort, "127.0.0.1");
    forward(client, upstream);
    forward(upstream, client);
  });
  const port = await listen(server);
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    silence() {
      silent = true;
    },
    speak() {
      silent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
