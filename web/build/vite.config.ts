import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { LANGUAGES } from "../../src/shared/language.ts";
import { PURE, replaceOnce, withoutUnused } from "./bundle_patches.ts";
import { CHUNKS } from "./chunks.ts";
import { installable } from "./installable.ts";
import { parsedMessages } from "./parsed_messages.ts";
import { prerenderedPages } from "./prerender.ts";
import { stylesAsText } from "./styles_as_text.ts";

const root = join(import.meta.dirname, "..");

const TOASTS = `${root}/app/toasts.tsx`;
const SONNER = `${root}/app/sonner.ts`;

// Sonner writes its styles into the page, which the content security policy refuses: they come as a file instead
// (sonner/dist/styles.css). Its swipe threshold is a constant, and the specification has another figure.
// It is fetched when it is first needed, which `toasts.tsx` sees to in its name.
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

// The page paints its static frame without waiting for the style sheet, and speaks all languages while it has no script.
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

/** The scripts that are fetched along with one: what every page has is there already, and texts come alone. */
function fetchedAlong(name: string, files: string[], { hostType }: { hostType: "html" | "js" }): string[] {
  if (hostType === "html") return files;
  return name.includes("texts-") ? [] : files.filter((file) => !file.includes("rolldown-runtime"));
}

/** The first script names every other file: briefly. */
function fileName(name: string, extension: string): string {
  return `assets/${name.replace(/[~.].*$/, "")}-[hash]${extension}`;
}

function loginAtOnce(): Plugin {
  return {
    name: "login-at-once",
    apply: (_config, { command }) => command === "build",
    transform: (code, id) =>
      id === `${root}/main.tsx` ? `import "./identity/sign_in/login.tsx";\n${code}` : undefined,
  };
}

export default defineConfig({
  root,
  plugins: [
    ...[react(), sonnerAsSpecified(), stylesAsText(), parsedMessages(), withoutUnused()],
    ...[loginAtOnce(), firstPaint(), installable()],
    prerenderedPages([sonnerAsSpecified(), parsedMessages()]),
  ],
  resolve: {
    alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
  },
  // Bundled ahead, as Vite does in development, it would keep what is taken out above.
  optimizeDeps: { exclude: ["sonner"] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // No data: URLs in style sheets and no inline polyfill: the content security policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: fetchedAlong },
    rolldownOptions: {
      treeshake: { manualPureFunctions: PURE },
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: ({ name }) => fileName(name, ".js"),
        assetFileNames: ({ names }) => fileName(names[0] ?? "", "[extname]"),
      },
    },
  },
});
