import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";
import { LANGUAGES } from "../../src/shared/language.ts";
import { withProviders } from "../../src/shared/prerendered.ts";
import { criticalCss } from "./critical_css.ts";
import type { Drawing, draw } from "./prerender_entry.tsx";

const root = join(import.meta.dirname, "..");
/** The ways in. */
const PATHS = ["login", "register"];
const PROVIDERS: Drawing["providers"] = ["google", "github", "microsoft"];
/** What each of them asks before it is taken over: then the answers are on their way before the scripts are. */
const ASKED = "/api/check-user-authentication/";
/** And once that has been answered (`prehydration.ts`). */
const ASKED_NEXT = ["/api/instance", "/api/service-notice"];

/** Of the component library, which has them in the body; they go to the head, until `hydration_handover.ts` puts them back. */
const STYLES = /<style data-mantine-styles[^>]*>.*?<\/style>/gs;

/** Between the page and what stands beside it. */
const MARK = "<!--beside-->";

type Draw = typeof draw;
type Drawn = Awaited<ReturnType<Draw>>;

/** Lets `work` draw with the same components, built for that; what is in `node_modules` is taken as it is. */
async function drawing(mode: string, plugins: Plugin[], work: (draw: Draw) => Promise<void>): Promise<void> {
  const cache = join(root, "../node_modules/.cache/breachbell");
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, "drawn-"));
  try {
    await build({
      ...{ configFile: false, root, mode, logLevel: "error", publicDir: false },
      plugins: [react(), ...plugins],
      build: { ssr: join(root, "build/prerender_entry.tsx"), outDir, minify: false },
    });
    const parts = (await import(join(outDir, "prerender_entry.js"))) as { draw: Draw };
    await work(parts.draw);
  } finally {
    rmSync(outDir, { recursive: true });
  }
}

function replaced(text: string, before: string | RegExp, after: string): string {
  const changed = text.replace(before, () => after);
  if (changed === text) throw new Error(`Cannot find ${before} in the page to draw`);
  return changed;
}

/** What somebody sees to whom these are offered, between the comments of `withProviders`. */
async function withAllProviders(draw: Draw, { language, path }: Omit<Drawing, "providers">): Promise<Drawn> {
  const drawnFor = (providers: Drawing["providers"]) => draw({ language, path, providers });
  const [none, all] = [await drawnFor([]), await drawnFor(PROVIDERS)];
  if (all.markup === none.markup) return none;
  let from = 0;
  while (all.markup[from] === none.markup[from]) from++;
  from = all.markup.lastIndexOf("<", from);
  const added = all.markup.slice(from, from + all.markup.length - none.markup.length);
  const buttons = added.match(/<button.*?<\/button>/gs) ?? [];
  const marked = buttons.reduce(
    (text, button, at) => replaced(text, button, `<!--provider:${PROVIDERS[at]}-->${button}<!--/provider-->`),
    added,
  );
  const markup = replaced(all.markup, added, `<!--providers-->${marked}<!--/providers-->`);
  for (const providers of [[], PROVIDERS, ...PROVIDERS.map((one) => [one])]) {
    const { markup: expected } = await drawnFor(providers);
    if (withProviders(markup, providers) !== expected)
      throw new Error(`Cannot take "${providers}" out of the drawn page "${path}"`);
  }
  return { ...all, markup };
}

/** The policy lets no style into an attribute: each becomes a rule, and is put back by `hydration_handover.ts`. */
function withStyleRules(markup: string): { markup: string; rules: string } {
  const styles = new Set([...markup.matchAll(/ style="([^"]*)"/g)].map(([, style]) => style ?? ""));
  if ([...styles].some((style) => /[&\\]/.test(style))) throw new Error("Cannot make a rule of a quoted style");
  const rules = [...styles].map((style) => `[data-style="${style}"]{${style}}`).join("");
  return { markup: markup.replaceAll(/ style="/g, ' data-style="'), rules };
}

/** The scripts that a page needs beyond the first one, where its own code is a file by itself. */
function ownChunks(bundle: Rolldown.OutputBundle, path: string): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
  const own = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, `identity/sign_in/${path}.tsx`));
  return own ? chunks.filter((each) => each === own || (own.imports.includes(each.fileName) && !isAtHand(each))) : [];
}

/** Every page names these itself. */
function isAtHand({ name }: Rolldown.OutputChunk): boolean {
  return name === "index" || name === "rolldown-runtime";
}

/** All style sheets of a page, those of the frame first. */
function sheetsOf({ path, page, bundle }: Around): string {
  const linked = [...page.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/g)].map(([, name]) => name ?? "");
  const own = ownChunks(bundle, path).flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const sheets = [...linked, ...own].map((name) => String((bundle[name] as Rolldown.OutputAsset).source));
  return [...sheets, readFileSync(join(root, "styles/prehydration.css"), "utf8")].join("");
}

type Around = Omit<Drawing, "providers"> & { page: string; bundle: Rolldown.OutputBundle; early: string };

function headOf({ language, path, bundle, early }: Around): string {
  const words = Object.keys(bundle).find((name) => name.startsWith(`assets/texts-${language}-`)) ?? "";
  const scripts = [words, ...ownChunks(bundle, path).map(({ fileName }) => fileName)];
  return [
    ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    `<link rel="preload" as="fetch" crossorigin href="${ASKED}" data-next="${ASKED_NEXT.join(" ")}">`,
    `<script>${replaced(early, "__WORDS__", `/${words}`)}</script>`,
    "",
  ].join("\n    ");
}

/** The script of the drawn documents, to stand in them. */
async function earlyScript(): Promise<string> {
  const built = (await build({
    ...{ configFile: false, root, logLevel: "error", publicDir: false },
    build: {
      ...{ write: false, rolldownOptions: { external: "__WORDS__" } },
      lib: { entry: join(root, "app/prehydration.ts"), formats: ["iife"], name: "breachbell" },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? "";
}

/** The page of the app with a first screen in it. */
function documentOf(drawn: Drawn, around: Around): string {
  const { title } = drawn;
  const { language, path, page } = around;
  const { markup, rules } = withStyleRules(drawn.markup + MARK + drawn.beside);
  const words = JSON.parse(readFileSync(join(root, `../locales/${language}/ui.json`), "utf8")) as Record<
    string,
    string
  >;
  const styles = [...markup.matchAll(STYLES)].map(([style]) => style).join("");
  const [screen, beside] = markup
    .replaceAll(STYLES, "")
    .replaceAll(' data-waits="true"', ' data-waits="true" inert=""')
    .split(MARK);
  const changes: [string | RegExp, string][] = [
    [/<title>.*?<\/title>/, `<title>${title}</title>`],
    [/<style nonce="[^"]*">/, "<style>"],
    ["</style>", `${criticalCss(sheetsOf(around), markup)}${rules}</style>${styles}`],
    ['<script type="module"', `${headOf(around)}<script type="module"`],
    // Without a script there is no other.
    ['<html lang="en"', '<html lang="en" data-mantine-color-scheme="light"'],
    ["<body>", `<body>\n    <noscript><p class="no-script">${words["boot.no_script"]}</p></noscript>`],
    [
      /<div id="root">.*?<\/div>\s*<\/div>/s,
      `<div id="root" data-drawn="/${language}/${path}" data-providers="__PROVIDERS__">${screen}</div>${beside}`,
    ],
  ];
  return changes.reduce((text, [before, after]) => replaced(text, before, after), page);
}

/** Draws the first screen of the ways in into documents of their own, so that it is there before any script. */
export function prerenderedPages(plugins: Plugin[]): Plugin {
  let mode = "production";
  return {
    name: "drawn-pages",
    apply: ({ build: { ssr } = {} }, { command }) => command === "build" && !ssr,
    configResolved(config) {
      mode = config.mode;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("Cannot find the page to draw into");
        const page = String(index.source);
        const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
        const early = await earlyScript();
        await drawing(mode, plugins, async (draw) => {
          for (const language of LANGUAGES) {
            for (const path of PATHS) {
              const drawn = await withAllProviders(draw, { language, path });
              emit(`drawn/${language}/${path}.html`, documentOf(drawn, { language, path, page, bundle, early }));
            }
          }
        });
      },
    },
  };
}
