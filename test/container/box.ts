// Runs an image's root like a container engine with `--read-only --tmpfs /tmp -v …:/data`, using Linux' own tools.
import { readFileSync } from "node:fs";
import type { Subprocess } from "bun";
import type { ImageConfig } from "./dockerfile.ts";

const TOOLS = ["unshare", "nsenter", "chroot", "mount", "setpriv"];

/** Why containers cannot be tested here; undefined if they can. */
export function missingForBoxes(): string | undefined {
  if (process.platform !== "linux") return "only Linux has containers";
  if (process.getuid?.() !== 0) return "only root may mount and change its root";
  const missing = TOOLS.filter((tool) => Bun.which(tool) === null);
  if (missing.length > 0) return `${missing.join(", ")} is missing`;
  const { exitCode } = Bun.spawnSync([
    "unshare",
    "--mount",
    "--pid",
    "--fork",
    "mount",
    "-t",
    "tmpfs",
    "tmpfs",
    "/mnt",
  ]);
  return exitCode === 0 ? undefined : "namespaces are not allowed here";
}

/** $1 the root, $2 the volume, $3 the user, then the command. Its process has PID 1 in its own namespace. */
const ENTER = `set -e
root=$1 volume=$2 user=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs -o mode=1777,size=64m,nosuid,nodev tmpfs "$root/tmp"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t tmpfs -o mode=755,size=64k tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,ro "$root/dev"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"`;

export type Box = {
  /** All output so far. */
  said(): string;
  /** Its first process' PID, as seen from outside; 0 while there is none. */
  pid(): number;
  hasEnded(): boolean;
  exited: Promise<number>;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
  /** Runs a command in it, like `docker exec`. */
  exec(command: string[], env?: Record<string, string>): Promise<{ code: number; said: string }>;
};

export type BoxOptions = {
  root: string;
  volume: string;
  config: ImageConfig;
  env: Record<string, string>;
  /** Replaces the image's own command. */
  command?: string[];
};

async function collect(process: Subprocess<"ignore", "pipe", "pipe">, add: (text: string) => void): Promise<void> {
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  };
  await Promise.all([read(process.stdout), read(process.stderr)]);
}

export function startBox({ root, volume, config, env, command }: BoxOptions): Box {
  const words = command ?? [...config.entrypoint, ...config.cmd];
  const all = { ...config.env, ...env };
  const box = Bun.spawn(
    ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--", "sh", "-c", ENTER, "sh"].concat(
      [root, volume, config.user],
      words,
    ),
    { env: all, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  let text = "";
  const read = collect(box, (more) => {
    text += more;
  });
  const hasEnded = () => box.exitCode !== null || box.signalCode !== null;
  const pid = () => {
    if (hasEnded()) return 0;
    const children = readFileSync(`/proc/${box.pid}/task/${box.pid}/children`, "utf8").trim().split(" ");
    return Number(children[0]);
  };
  return {
    said: () => text,
    pid,
    hasEnded,
    exited: box.exited.then(async (code) => {
      await read;
      return code;
    }),
    signal(signal) {
      const first = pid();
      // 0 would be our own process group.
      if (first > 0) process.kill(first, signal);
    },
    async exec(asked, more = {}) {
      const [uid = "", gid = ""] = config.user.split(":");
      const inside = ["--mount", "--pid", "--ipc", "--uts", "--root", "--wd", "--setuid", uid, "--setgid", gid, "--"];
      const started = Bun.spawn(["nsenter", "--target", String(pid()), ...inside, ...asked], {
        env: { ...all, ...more },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      let said = "";
      await collect(started, (part) => {
        said += part;
      });
      return { code: await started.exited, said };
    },
  };
}
