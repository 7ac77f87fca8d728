import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";
import type { BuiltFiles } from "./prerendered_document.ts";

const root = join(import.meta.dirname, "..");

/** Builds the prehydration script, which is inlined in prerendered documents. */
async function prehydrationScript(): Promise<string> {
  const built = (await build({
    configFile: false,
    root,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      lib: { entry: join(root, "app/prehydration.ts"), formats: ["iife"], name: "breachbell" },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? "";
}

/** Which built files the modules need that are imported on demand, such as pages and texts. */
function builtFiles(bundle: Rolldown.OutputBundle, script: string, isOnDemand: (id: string) => boolean): BuiltFiles {
  const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error("Cannot find the entry script");
  const withImports = (chunk: Rolldown.OutputChunk, found = new Set<Rolldown.OutputChunk>()) => {
    if (found.has(chunk)) return found;
    found.add(chunk);
    for (const each of chunks) if (chunk.imports.includes(each.fileName)) withImports(each, found);
    return found;
  };
  const sheetsOf = ({ viteMetadata }: Rolldown.OutputChunk) => [...(viteMetadata?.importedCss ?? [])];
  const everywhere = withImports(entry);
  const files = chunks.flatMap((chunk) => {
    // Style sheets of imports come first, as in the app.
    const needed = [...withImports(chunk)].filter((each) => !everywhere.has(each)).reverse();
    const names = needed.flatMap((each) => [each.fileName, ...sheetsOf(each)]);
    return chunk.moduleIds.filter(isOnDemand).map((id) => [`/${relative(root, id)}`, names] as const);
  });
  return { script, sheets: [...everywhere].flatMap(sheetsOf), files: Object.fromEntries(files) };
}

/** Builds the program that prerenders the public pages, and the list of the files that they load, into `prerender/`. */
export function prerendering(plugins: Plugin[]): Plugin {
  let mode = "production";
  return {
    name: "prerendering",
    apply: ({ build: { ssr } = {} }, { command }) => command === "build" && !ssr,
    configResolved(config) {
      mode = config.mode;
    },
    async writeBundle({ dir = "" }, bundle) {
      const isOnDemand = (id: string) => (this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
      const outDir = join(dir, "prerender");
      await build({
        configFile: false,
        root,
        mode,
        logLevel: "error",
        publicDir: false,
        plugins: [react(), ...plugins],
        define: { "process.env.NODE_ENV": '"production"' },
        ssr: { noExternal: true },
        build: { ssr: join(root, "build/prerender_entry.tsx"), outDir, minify: true },
      });
      writeFileSync(
        join(outDir, "files.json"),
        JSON.stringify(builtFiles(bundle, await prehydrationScript(), isOnDemand)),
      );
    },
  };
}
