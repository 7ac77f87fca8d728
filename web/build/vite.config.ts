import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { LANGUAGES } from "../../src/shared/language.ts";
import { CHUNKS } from "./chunks.ts";
import { installable } from "./installable.ts";
import { parsedMessages } from "./parsed_messages.ts";
import { prerendering } from "./prerender.ts";
import { replaceOnce } from "./replace_once.ts";
import { stylesAsText } from "./styles_as_text.ts";

const root = join(import.meta.dirname, "..");

const TOASTS = `${root}/app/toasts.tsx`;
const SONNER = `${root}/app/sonner.ts`;

// Sonner injects its styles into the page, which the content security policy forbids: they are loaded from
// sonner/dist/styles.css instead. Its swipe threshold is a constant that differs from the specification. It is imported
// through `toasts.tsx`, which loads it on demand.
function sonnerAsSpecified(): Plugin {
  return {
    name: "sonner-as-specified",
    enforce: "pre",
    resolveId: (id, importer) => (id === "sonner" && importer !== SONNER ? TOASTS : undefined),
    transform(code, id) {
      if (!/sonner\/dist\/index\.mjs/.test(id)) return undefined;
      const silent = replaceOnce(code, /\n__insertCSS\(".*"\);?\n/, "\n");
      return { code: replaceOnce(silent, "SWIPE_THRESHOLD = 45", "SWIPE_THRESHOLD = 20"), map: null };
    },
  };
}

function inEveryLanguage(key: string): string {
  const lines = LANGUAGES.map((language) => {
    const texts = JSON.parse(readFileSync(`${root}/../locales/${language}/ui.json`, "utf8")) as Record<string, string>;
    return `<p lang="${language}">${texts[key]}</p>`;
  });
  return lines.join("");
}

// Inlines the styles of the static frame in index.html and its texts in all languages, so that it is painted before
// scripts and style sheets have loaded.
function firstPaint(): Plugin {
  return {
    name: "first-paint",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const sheets = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
        const withoutSheets = sheets.reduce((rest, sheet) => rest.replace(sheet, ""), html);
        const theme = readFileSync(`${root}/public/theme.js`, "utf8");
        return withoutSheets
          .replace("<!-- theme -->", () => `<script>${theme}</script>`)
          .replace("  </body>", `${sheets.join("")}  </body>`)
          .replaceAll(/<!-- texts:([\w.]+) -->/g, (_, key: string) => inEveryLanguage(key));
      },
    },
  };
}

/**
 * The dependencies to preload with a chunk: without what every page has already loaded (prerendered documents contain the
 * entry's styles), and without texts, which are fetched separately.
 */
function fetchedAlong(name: string, files: string[], { hostType }: { hostType: "html" | "js" }): string[] {
  if (hostType === "html") return files;
  return name.includes("texts-") ? [] : files.filter((file) => !/^assets\/(rolldown-runtime|index)-/.test(file));
}

/** Short file names, because the entry script lists every other file. */
function fileName(name: string, extension: string): string {
  return `assets/${name.replace(/[~.].*$/, "")}-[hash]${extension}`;
}

function bundleLogin(): Plugin {
  return {
    name: "bundle-login",
    apply: (_config, { command }) => command === "build",
    transform: (code, id) =>
      id === `${root}/main.tsx` ? `import "./identity/sign_in/login.tsx";\n${code}` : undefined,
  };
}

export default defineConfig({
  root,
  plugins: [
    ...[react(), sonnerAsSpecified(), stylesAsText(), parsedMessages()],
    ...[bundleLogin(), firstPaint(), installable()],
    prerendering([sonnerAsSpecified(), parsedMessages()]),
  ],
  resolve: {
    alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
  },
  // Prebundling in development would bypass the patches above.
  optimizeDeps: { exclude: ["sonner"] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The content security policy allows neither data: URLs in style sheets nor an inline polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: fetchedAlong },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: ({ name }) => fileName(name, ".js"),
        assetFileNames: ({ names }) => fileName(names[0] ?? "", "[extname]"),
      },
    },
  },
});
