// A base image that needs no registry: Bun, the C library, certificates, and nothing else. Like the real one it has no
// shell.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./dockerfile.ts";

const CACHE = join(ROOT, "node_modules/.cache/breachbell/container");
const MOUNT_POINTS = ["proc", "sys", "dev", "etc", "run", "var/tmp", "root"];
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** The shared libraries that a program links to, with the loader. */
function librariesOf(program: string): string[] {
  const { stdout } = Bun.spawnSync(["ldd", program]);
  return [...stdout.toString().matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = ""]) => path);
}

/** The native build tools, which have their own libraries. */
function nativeModules(): string[] {
  return [...new Bun.Glob("node_modules/**/*.node").scanSync({ cwd: ROOT, absolute: true })].filter(
    (path) => !/musl|test\//.test(path),
  );
}

/**
 * The folder of such a base, created once for this version of Bun; with the build's libraries if it is used for
 * building.
 */
export function standIn({ builds }: { builds: boolean }): string {
  const folder = join(CACHE, `${builds ? "build" : "run"}-${Bun.version}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  for (const point of MOUNT_POINTS) mkdirSync(join(draft, point), { recursive: true });
  mkdirSync(join(draft, "tmp"), { mode: 0o777 });
  const programs = [process.execPath, ...(builds ? nativeModules() : [])];
  for (const library of new Set(programs.flatMap(librariesOf))) {
    mkdirSync(join(draft, dirname(library)), { recursive: true });
    cpSync(library, join(draft, library), { dereference: true });
  }
  mkdirSync(join(draft, "usr/local/bin"), { recursive: true });
  cpSync(process.execPath, join(draft, "usr/local/bin/bun"), { dereference: true });
  if (existsSync(CERTIFICATES)) {
    mkdirSync(join(draft, dirname(CERTIFICATES)), { recursive: true });
    cpSync(CERTIFICATES, join(draft, CERTIFICATES), { dereference: true });
  }
  writeFileSync(join(draft, "etc/passwd"), "root:x:0:0:root:/root:/sbin/nologin\n");
  renameSync(draft, folder);
  return folder;
}

/** A separate folder next to it, for roots that share its files by hard links. */
export function roomFor(name: string): string {
  const room = join(CACHE, `${name}.${process.pid}`);
  rmSync(room, { recursive: true, force: true });
  mkdirSync(room, { recursive: true });
  return room;
}
