import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../e2e/product.ts";
import { freePort } from "./ports.ts";
import { serverUser } from "./postgres_server.ts";

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find(existsSync);

export const hasPgBouncer = PROGRAM !== undefined;

export type PgBouncer = { url: string; stop(): Promise<void> };

/** Starts Debian's `pgbouncer` in transaction mode in front of the server at `url`. */
export async function startPgBouncer(url: string, serverConnections = 3): Promise<PgBouncer> {
  if (PROGRAM === undefined) throw new Error('Cannot find "pgbouncer": apt-get install pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), "bb-pgbouncer-"));
  const { username, password, hostname, port } = new URL(url);
  const ownPort = await freePort();
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: ownPort,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "users"),
    pool_mode: "transaction",
    default_pool_size: serverConnections,
    // Seconds until a server that could not be reached is tried again; 15 by default.
    server_login_retry: 1,
    logfile: join(folder, "log"),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(join(folder, "users"), `"${username}" "${password}"\n`);
  writeFileSync(
    join(folder, "ini"),
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join("\n")}\n`,
  );
  // The bouncer refuses to run as root; its own user reads its files, and removes them.
  const user = serverUser();
  if (user)
    for (const path of [folder, join(folder, "users"), join(folder, "ini")]) chownSync(path, user.uid, user.gid);
  // However this process ends, its end of the pipe closes; then the bouncer ends and its files go.
  const run = `trap '' INT TERM HUP; "$0" -q "$1/ini" & read _; kill -TERM $!; wait $!; rm -rf "$1"`;
  const bouncer = spawn("sh", ["-c", run, PROGRAM, folder], {
    ...user,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise<void>((resolve) => bouncer.once("exit", () => resolve()));
  bouncer.unref();
  await eventually("PgBouncer listens", async () => {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port: ownPort, socket: { data() {} } }).catch(
      () => undefined,
    );
    socket?.end();
    return socket;
  });
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${ownPort}` }).href,
    async stop() {
      bouncer.stdin.end();
      await ended;
    },
  };
}
