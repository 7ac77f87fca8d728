import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One package of the lockfile; `key` is its path, such as `a` or, nested inside `a`, `a/b`. */
export type Locked = {
  key: string;
  name: string;
  version: string;
  /** Empty for the default registry. */
  origin: string;
  integrity: string;
  /** Names of its dependencies, without optional peers. */
  needs: string[];
};
export type Lockfile = Map<string, Locked>;

type Entry = [id: string, origin: string, facts: Facts, integrity?: string];
type Facts = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalPeers?: string[];
};

/** Parses Bun's text lockfile. Throws on entries that are not packages of a registry. */
export function readLockfile(text: string): Lockfile {
  const { lockfileVersion, packages } = Bun.JSONC.parse(text) as {
    lockfileVersion: number;
    packages: Record<string, Entry>;
  };
  if (lockfileVersion > 2) throw new Error(`Cannot read version ${lockfileVersion} of the lockfile`);
  return new Map(
    Object.entries(packages).map(([key, [id, origin, facts, integrity]]) => {
      const at = id.lastIndexOf("@");
      if (at < 1 || typeof facts !== "object") throw new Error(`Cannot read "${key}" in the lockfile`);
      const { dependencies, optionalDependencies, peerDependencies = {}, optionalPeers = [] } = facts;
      const peers = Object.keys(peerDependencies).filter((name) => !optionalPeers.includes(name));
      const needs = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
      const locked = {
        key,
        name: id.slice(0, at),
        version: id.slice(at + 1),
        origin,
        integrity: integrity ?? "",
        needs,
      };
      return [key, locked];
    }),
  );
}

/** The keys at which a package at `from` looks a dependency up, the nearest first. */
function places(from: string, name: string): string[] {
  const path = from.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
  return [...path.map((_, index) => [...path.slice(0, path.length - index), name].join("/")), name];
}

/** The package that `name` resolves to from `from` (empty: the project); undefined if it is not installed. */
export function resolved(lockfile: Lockfile, from: string, name: string): Locked | undefined {
  const key = places(from, name).find((place) => lockfile.has(place));
  return key === undefined ? undefined : lockfile.get(key);
}

/** These packages of the project and all their dependencies. */
export function closureOf(lockfile: Lockfile, names: readonly string[]): Locked[] {
  const found = new Map<string, Locked>();
  const open = names.map((name) => {
    const locked = resolved(lockfile, "", name);
    if (locked === undefined) throw new Error(`"${name}" is not in the lockfile`);
    return locked;
  });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next.key)) continue;
    found.set(next.key, next);
    for (const name of next.needs) {
      const needed = resolved(lockfile, next.key, name);
      if (needed !== undefined) open.push(needed);
    }
  }
  return [...found.values()].sort((a, b) => a.key.localeCompare(b.key));
}

/** The directory of an installed package. */
export function folderOf(root: string, { key }: Locked): string {
  const path = key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
  return join(root, "node_modules", path.join("/node_modules/"));
}

/** The licence in its own `package.json`. */
export function licenceOf(root: string, locked: Locked): string {
  const path = join(folderOf(root, locked), "package.json");
  const { license, version } = JSON.parse(readFileSync(path, "utf8")) as { license?: string; version: string };
  if (version !== locked.version)
    throw new Error(`"${path}" is version ${version}, the lockfile says ${locked.version}: run "bun install"`);
  if (typeof license !== "string") throw new Error(`"${path}" names no licence`);
  return license;
}
