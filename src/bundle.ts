// Makes a few files of JavaScript out of the server and what it imports: they start in half the time of the sources, and hold less.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SOURCE = import.meta.dirname;
/** Finds its own files beside itself, so it stays as it came. */
export const UNBUNDLED = "@electric-sql/pglite";
/** Where a file's neighbours are is told by its own place, which a file made of many no longer has. */
const PLACE = /\bimport\.meta\.dirname\b/g;
/** Those of before stay for a while: a server that runs still reads the parts that it has not needed yet. */
const KEPT = 10;

type Bundle = {
  entries: string[];
  to: string;
  /** The expression for where the neighbours of a source's folder are, of which it gets the path below `src`. */
  placeOf: (folder: string) => string;
  /** With maps a stack trace names the lines of the sources. */
  maps?: boolean;
};

/** Packages are bundled too; names stay, so that a stack trace can be read. */
export async function bundle({ entries, to, placeOf, maps = false }: Bundle): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: entries.map((entry) => join(SOURCE, entry)),
    outdir: to,
    target: "bun",
    splitting: true,
    sourcemap: maps ? "linked" : "none",
    external: [UNBUNDLED],
    naming: { entry: "[name].js", chunk: "chunk_[hash].js" },
    plugins: [
      {
        name: "places",
        setup(build) {
          build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const contents = await Bun.file(path).text();
            if (!path.startsWith(`${SOURCE}/`)) return { loader: "ts", contents };
            return { loader: "ts", contents: contents.replace(PLACE, placeOf(relative(SOURCE, dirname(path)))) };
          });
        },
      },
    ],
  });
  if (!entries.every((entry) => outputs.some(({ path }) => path.endsWith(`/${entry.replace(".ts", ".js")}`))))
    throw new Error("Cannot bundle: an entry is missing");
}

/** Puts the server for `bun start` into `folder`, under `name`, and begins it by `main.js`; what it reads stays where it is. */
async function bundleBeside(folder: string, name: string): Promise<void> {
  const to = join(folder, name);
  const placeOf = (place: string) => JSON.stringify(join(SOURCE, place));
  await bundle({ entries: ["main.ts"], to, placeOf, maps: true });
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, `main.js.${process.pid}`);
  writeFileSync(entry, `import ${JSON.stringify(`./${name}/main.js`)};\n`);
  renameSync(entry, join(folder, "main.js"));
  const madeAt = (build: string) => statSync(join(folder, build)).mtimeMs;
  const builds = readdirSync(folder, { withFileTypes: true }).filter((found) => found.isDirectory());
  const byAge = builds.map((found) => found.name).sort((a, b) => madeAt(b) - madeAt(a));
  for (const old of byAge.slice(KEPT)) rmSync(join(folder, old), { recursive: true, force: true });
}

if (import.meta.main) {
  const [folder, name] = process.argv.slice(2);
  if (folder === undefined || name === undefined) {
    console.error("Where to? bun src/bundle.ts <folder> <name>");
    process.exit(2);
  }
  await bundleBeside(folder, name);
}
