// Makes a few files of JavaScript out of the server and what it imports: they start in a fraction of the time of the sources.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

const SOURCE = join(import.meta.dirname, "..");
/** Not bundled, as it locates its own files relative to itself. */
export const UNBUNDLED = "@electric-sql/pglite";
/** A bundled file has lost its source's location, so this expression is replaced. */
const PLACE = /\bimport\.meta\.dirname\b/g;
/** How many old bundles are kept: a running server may still load chunks that it has not needed yet. */
const KEPT = 10;

/** Builds the expression for the directory of a source, given its path below `src`. */
type PlaceOf = (folder: string) => string;

function places(placeOf: PlaceOf): Bun.BunPlugin {
  return {
    name: "places",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const contents = await Bun.file(path).text();
        if (!path.startsWith(`${SOURCE}/`)) return { loader: "ts", contents };
        return { loader: "ts", contents: contents.replace(PLACE, placeOf(relative(SOURCE, dirname(path)))) };
      });
    },
  };
}

type Output = {
  to: string;
  placeOf: PlaceOf;
  /** With source maps stack traces name the lines of the sources. */
  hasSourceMaps?: boolean;
};

/**
 * Platform-independent output, unminified unless source maps say what it was: less to parse makes a start a sixth faster. Packages
 * are bundled too; what is imported on demand becomes a chunk.
 */
export async function bundle(entries: string[], { to, placeOf, hasSourceMaps = false }: Output): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: entries.map((entry) => join(SOURCE, entry)),
    outdir: to,
    target: "bun",
    splitting: true,
    sourcemap: hasSourceMaps ? "linked" : "none",
    minify: hasSourceMaps && { whitespace: true, syntax: true },
    external: [UNBUNDLED],
    naming: { entry: "[name].js", chunk: "chunk_[hash].js" },
    plugins: [places(placeOf)],
  });
  if (!entries.every((entry) => outputs.some(({ path }) => basename(path) === basename(entry).replace(".ts", ".js"))))
    throw new Error("Cannot bundle: an entry is missing");
}

/** Builds the server for `bun start` into `folder/name`, started by `main.js`; data files stay where they are. */
async function bundleBeside(folder: string, name: string): Promise<void> {
  const to = join(folder, name);
  await bundle(["main.ts"], { to, placeOf: (place) => JSON.stringify(join(SOURCE, place)), hasSourceMaps: true });
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
    console.error("Where to? bun src/build/bundle.ts <folder> <name>");
    process.exit(2);
  }
  await bundleBeside(folder, name);
}
