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

/** All third-party packages in an installation, by the lockfile; a version that is installed in several places once. */
export function shippedPackages(root: string): Shipped[] {
  const lockfile = readLockfile(readFileSync(join(root, "bun.lock"), "utf8"));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const closures = {
    server: closureOf(lockfile, Object.keys(dependencies)),
    browser: closureOf(lockfile, browserPackages(root)),
  };
  const all = [...closures.server.union(closures.browser)].sort((a, b) => a.key.localeCompare(b.key));
  const copies = Map.groupBy(all, ({ name, version }) => `${name}@${version}`).values();
  return [...copies].flatMap((same) => {
    const runsIn = (["browser", "server"] as const).filter((place) => same.some((one) => closures[place].has(one)));
    return same.slice(0, 1).map((locked) => ({ ...locked, runsIn }));
  });
}
