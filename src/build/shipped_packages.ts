import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { closureOf, type Locked, readLockfile } from "./lockfile.ts";

/** A shipped package, and where it runs: in the server, in browsers, or in both. */
export type Shipped = Locked & { runsIn: ("server" | "browser")[] };

const nameOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The packages that the web app imports, found by following imports from its entry, without type imports. */
export function browserPackages(root: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const open = [join(root, "web/main.tsx")];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const loader = path.endsWith("x") ? "tsx" : "ts";
    for (const { path: specifier } of new Bun.Transpiler({ loader }).scanImports(readFileSync(path, "utf8"))) {
      if (!/^[./]/.test(specifier)) {
        // Virtual modules of the build are not packages.
        if (!specifier.startsWith("virtual:")) packages.add(nameOf(specifier));
      } else if (/\.tsx?$/.test(specifier)) open.push(join(dirname(path), specifier));
    }
  }
  return [...packages].sort();
}

/** All third-party packages in an installation, by the lockfile. */
export function shippedPackages(root: string): Shipped[] {
  const lockfile = readLockfile(readFileSync(join(root, "bun.lock"), "utf8"));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const server = closureOf(lockfile, Object.keys(dependencies));
  const browser = closureOf(lockfile, browserPackages(root));
  const all = new Map([...server, ...browser].map((locked) => [locked.key, locked]));
  const runsIn = (key: string): Shipped["runsIn"] => [
    ...(server.some((locked) => locked.key === key) ? ["server" as const] : []),
    ...(browser.some((locked) => locked.key === key) ? ["browser" as const] : []),
  ];
  return [...all.values()]
    .sort((a, b) => a.key.localeCompare(b.key))
    .map((locked) => ({ ...locked, runsIn: runsIn(locked.key) }));
}
