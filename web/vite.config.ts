import { readFileSync } from "node:fs";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { LANGUAGES } from "../src/shared/language.ts";
import { drawnPages } from "./drawn_pages.ts";
import { installable } from "./installable.ts";

const root = import.meta.dirname;

/** Replaces exactly one place of a package's source; a build that no longer finds it must not pass. */
function replaceOnce(code: string, before: string | RegExp, after: string): string {
  const changed = code.replace(before, after);
  if (changed === code) throw new Error(`Cannot find ${before} in sonner, look at its new version`);
  return changed;
}

const TOASTS = `${root}/toasts.tsx`;

// Sonner writes its styles into the page, which the content security policy refuses: they come as a file instead
// (sonner/dist/styles.css). Its swipe threshold is a constant, and the specification has another figure.
// It is fetched when it is first needed, which `toasts.tsx` sees to in its name.
function sonnerAsSpecified(): Plugin {
  return {
    name: "sonner-as-specified",
    enforce: "pre",
    resolveId: (id, importer) => (id === "sonner" && importer !== TOASTS ? TOASTS : undefined),
    transform(code, id) {
      if (!/sonner\/dist\/index\.mjs/.test(id)) return undefined;
      const silent = replaceOnce(code, /\n__insertCSS\(".*"\);?\n/, "\n");
      return { code: replaceOnce(silent, "SWIPE_THRESHOLD = 45", "SWIPE_THRESHOLD = 20"), map: null };
    },
  };
}

const PLAIN = "abcdefghijklmnopqrstuvwxyz";
const ACCENTED = "áƀçđéƒğĥíĵķłɱñóƥɋřšŧúṽŵẋýž";

function accent(letter: string): string {
  const small = letter.toLowerCase();
  const accented = ACCENTED[PLAIN.indexOf(small)] ?? letter;
  return letter === small ? accented : accented.toUpperCase();
}

/** The same message in letters of a language that does not exist. */
function accented(parts: MessageFormatElement[]): MessageFormatElement[] {
  return parts.map((part) => {
    if (part.type === TYPE.literal)
      return {
        ...part,
        value: part.value.replaceAll(/[a-z]/gi, accent),
      };
    if (part.type === TYPE.tag) return { ...part, children: accented(part.children) };
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return part;
    const options = Object.entries(part.options).map(([name, option]) => {
      return [name, { ...option, value: accented(option.value) }] as const;
    });
    return { ...part, options: Object.fromEntries(options) };
  });
}

// Messages are parsed here, so that the browser needs no parser and a wrong one fails the build. With
// `vite --mode pseudo` all of them carry accents: what does not is written into the code instead of `locales/`.
function parsedMessages(): Plugin {
  let isPseudo = false;
  const parsed = (text: string) => (isPseudo ? accented(parse(text)) : parse(text));
  return {
    name: "parsed-messages",
    enforce: "pre",
    configResolved({ mode }) {
      isPseudo = mode === "pseudo";
    },
    transform(code, id) {
      if (!/\/locales\/\w+\/\w+\.json$/.test(id)) return undefined;
      const texts = Object.entries(JSON.parse(code) as Record<string, string>);
      return { code: JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [key, parsed(text)]))), map: null };
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

const BREACH_TOPICS = ["alerts", "data_classes", "data_groups", "seriousness", "handling", "flags"];
/** Much to read, and only where somebody opens an alert or an address. */
const ADVICE_TOPICS = ["advice", "together"];

/** One chunk per language and group of topics: the screens' words, and those about breaches. */
function languageChunk(id: string): string | null {
  const [, language, topic] = /\/locales\/(\w+)\/(\w+)\.json$/.exec(id) ?? [];
  if (topic === "ui" || topic === "errors" || topic === "sources") return `texts-${language}`;
  if (ADVICE_TOPICS.includes(topic ?? "")) return `advice-texts-${language}`;
  return BREACH_TOPICS.includes(topic ?? "") ? `breach-texts-${language}` : null;
}

// What the first screen needs is one file, and the login comes with it: a stranger's first, and small. A group takes its
// dependencies along. What floats (menus, tooltips) is heavy and is fetched only where something does; what most screens
// share is one file instead of twenty.
const CHUNKS = [
  { name: languageChunk, priority: 4 },
  { name: "initial", tags: ["$initial" as const], priority: 3 },
  { name: "floating", test: /node_modules\/(@floating-ui|tabbable)\//, priority: 2 },
  {
    name: "shared",
    test: /^(?!.*(ScrollArea|ModalBase|FocusTrap|Transition|Overlay)).*\.(m?js|tsx?)$/,
    minShareCount: 5,
    priority: 1,
  },
];

function loginAtOnce(): Plugin {
  return {
    name: "login-at-once",
    apply: (_config, { command }) => command === "build",
    transform: (code, id) => (id === `${root}/main.tsx` ? `import "./identity/login.tsx";\n${code}` : undefined),
  };
}

/** Where `bun dev` of the server listens, for `vite` in development. */
const server = "http://127.0.0.1:3000";

export default defineConfig({
  root,
  plugins: [
    ...[react(), sonnerAsSpecified(), parsedMessages(), loginAtOnce(), firstPaint(), installable()],
    drawnPages([sonnerAsSpecified(), parsedMessages()]),
  ],
  resolve: {
    alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // No data: URLs in style sheets and no inline polyfill: the content security policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { "/api": server, "/mailbox": server } },
});
