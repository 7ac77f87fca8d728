// Makes the folder that becomes the container's image: the server as plain JavaScript in a few files, what it reads, and nothing else.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle, UNBUNDLED } from "./bundle.ts";
import { folderOf, licenceOf } from "./lockfile.ts";
import { createSbom } from "./sbom.ts";
import { shippedPackages } from "./shipped_packages.ts";

const ROOT = join(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "src");
const ENTRIES = ["main.ts", "breachbell.ts", "build/publish_breach.ts"];
const IMAGE = "node_modules/.cache/breachbell/pglite.tar.gz";
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

function copy(from: string, to: string, wanted: (path: string) => boolean): void {
  for (const path of new Bun.Glob("**").scanSync({ cwd: from, dot: true }))
    if (wanted(path)) cpSync(join(from, path), join(to, path));
}

/** Copies the one PGlite build that is imported, without the CommonJS build, extensions and source maps. */
function copyPglite(to: string): void {
  const from = join(ROOT, "node_modules", UNBUNDLED);
  const wanted = new Set(["package.json", "LICENSE"]);
  const open = ["dist/index.js"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (wanted.has(path)) continue;
    wanted.add(path);
    if (!path.endsWith(".js")) continue;
    const text = readFileSync(join(from, path), "utf8");
    const imports = new Bun.Transpiler({ loader: "js" }).scanImports(text).map((found) => found.path);
    const files = [...text.matchAll(/new URL\("(?:\.\/)?([\w-]+\.\w+)",\s*import\.meta\.url\)/g)].map(
      ([, file = ""]) => file,
    );
    for (const name of [...imports.filter((specifier) => specifier.startsWith(".")), ...files])
      open.push(join(dirname(path), name));
  }
  copy(from, to, (path) => wanted.has(path));
}

/** The licences require their text to be part of every copy. */
function licences(): string {
  const texts = shippedPackages(ROOT).map((locked) => {
    const folder = folderOf(ROOT, locked);
    const found = readdirSync(folder)
      .filter((name) => LICENCE_FILE.test(name))
      .sort();
    const body = found.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
    return `${"=".repeat(80)}\n${locked.name} ${locked.version} (${licenceOf(ROOT, locked)})\n\n${body || "No text of the licence comes with the package."}\n`;
  });
  return texts.join("\n");
}

/** Fills `image` with `app`, `bin` and, in `volume`, an empty `data` directory with owner-only access. */
export async function pack(image: string): Promise<void> {
  const app = join(image, "app");
  rmSync(image, { recursive: true, force: true });
  for (const path of ["web/dist/.built-from", IMAGE])
    if (!existsSync(join(ROOT, path))) throw new Error(`"${path}" is missing: run "bun run build" first`);
  const placeOf = (folder: string) => `(import.meta.dirname + ${JSON.stringify(`/${folder}`)})`;
  await bundle(ENTRIES, { to: join(app, "src"), placeOf });
  copy(SOURCE, join(app, "src"), (path) => !/\.ts$|(^|\/)tsconfig\.json$/.test(path));
  copy(join(ROOT, "locales"), join(app, "locales"), (path) => path.endsWith(".json"));
  copy(join(ROOT, "migrations"), join(app, "migrations"), (path) => /^\w+\.sql$|^meta\/_journal\.json$/.test(path));
  copy(join(ROOT, "web/dist"), join(app, "web/dist"), (path) => !/\.map$|^\.built-from$/.test(path));
  copyPglite(join(app, "node_modules", UNBUNDLED));
  cpSync(join(ROOT, IMAGE), join(app, IMAGE));
  cpSync(join(ROOT, "LICENSE"), join(app, "LICENSE"));
  writeFileSync(join(app, "licences.txt"), licences());
  writeFileSync(join(app, "sbom.json"), `${JSON.stringify(createSbom(ROOT), undefined, 1)}\n`);
  mkdirSync(join(image, "bin"), { recursive: true });
  const command = join(image, "bin/breachbell");
  // The image has no shell and no `env`, so the path of Bun is absolute.
  writeFileSync(command, '#!/usr/local/bin/bun\nimport "/app/src/breachbell.js";\n');
  chmodSync(command, 0o755);
  mkdirSync(join(image, "volume/data"), { recursive: true, mode: 0o700 });
}

if (import.meta.main) {
  const [image] = process.argv.slice(2);
  if (image === undefined) {
    console.error("Where to? bun src/build/pack.ts <folder>");
    process.exit(2);
  }
  await pack(image);
}
