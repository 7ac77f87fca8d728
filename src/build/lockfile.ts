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
  const list = Object.entries(packages).map(([key, [id, origin, facts, integrity = ""]]): Locked => {
    const at = id.lastIndexOf("@");
    if (at < 1 || typeof facts !== "object") throw new Error(`Cannot read "${key}" in the lockfile`);
    const { dependencies, optionalDependencies, peerDependencies = {}, optionalPeers = [] } = facts;
    const peers = Object.keys(peerDependencies).filter((name) => !optionalPeers.includes(name));
    const needs = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    return { key, name: id.slice(0, at), version: id.slice(at + 1), origin, integrity, needs };
  });
  return new Map(list.map((locked) => [locked.key, locked]));
}

/** The names in a key. */
const pathOf = (key: string): string[] => key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];

/** The package that `name` resolves to from `from` (empty: the project), the nearest first; undefined if it is not installed. */
export function resolved(lockfile: Lockfile, from: string, name: string): Locked | undefined {
  for (const path = pathOf(from); ; path.pop()) {
    const found = lockfile.get([...path, name].join("/"));
    if (found || path.length === 0) return found;
  }
}

/** The installed packages that a package needs itself. */
export function neededBy(lockfile: Lockfile, { key, needs }: Locked): Locked[] {
  return needs.map((name) => resolved(lockfile, key, name)).filter((found) => found !== undefined);
}

/** These packages of the project and all their dependencies. */
export function closureOf(lockfile: Lockfile, names: readonly string[]): Set<Locked> {
  const found = new Set<Locked>();
  for (const name of names) {
    const locked = resolved(lockfile, "", name);
    if (locked === undefined) throw new Error(`"${name}" is not in the lockfile`);
    found.add(locked);
  }
  // What is added meanwhile is visited, too.
  for (const locked of found) for (const needed of neededBy(lockfile, locked)) found.add(needed);
  return found;
}

/** The directory of an installed package. */
export function folderOf(root: string, { key }: Locked): string {
  return join(root, "node_modules", pathOf(key).join("/node_modules/"));
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
