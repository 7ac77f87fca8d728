import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";
import { LANGUAGES } from "../../src/shared/language.ts";
import { PRERENDERED_PROVIDERS, withProviders } from "../../src/shared/prerendered.ts";
import { criticalCss } from "./critical_css.ts";
import type { draw, PrerenderOptions } from "./prerender_entry.tsx";

const root = join(import.meta.dirname, "..");
/** The pages that are prerendered. */
const PATHS = ["login", "register"];
const PROVIDERS: PrerenderOptions["providers"] = PRERENDERED_PROVIDERS.map(({ name, label }) => ({
  ...{ name, label, icon: name, singleLogout: false },
}));
/** Requested by each of them during hydration, so the document preloads it in parallel with the scripts. */
const PRELOADED_FIRST = "/api/check-user-authentication/";
/** Preloaded after the first response (`prehydration.ts`). */
const PRELOADED_NEXT = ["/api/instance", "/api/service-notice"];

/**
 * Mantine's style elements, which it renders into the body; they are moved to the head until `hydration_handover.ts`
 * puts them back.
 */
const STYLES = /<style data-mantine-styles[^>]*>.*?<\/style>/gs;

type Draw = typeof draw;
type PrerenderedPage = Awaited<ReturnType<Draw>>;

/**
 * Calls `work` with a function that prerenders pages, built from the same components; packages in `node_modules` are
 * not bundled.
 */
async function withPrerenderer(mode: string, plugins: Plugin[], work: (draw: Draw) => Promise<void>): Promise<void> {
  const cache = join(root, "../node_modules/.cache/breachbell");
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, "drawn-"));
  try {
    await build({
      configFile: false,
      root,
      mode,
      logLevel: "error",
      publicDir: false,
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

/** The page with all providers, each between marker comments that `withProviders` uses. */
async function withAllProviders(
  draw: Draw,
  { language, path }: Omit<PrerenderOptions, "providers">,
): Promise<PrerenderedPage> {
  const prerenderedFor = (providers: PrerenderOptions["providers"]) => draw({ language, path, providers });
  const [none, all] = [await prerenderedFor([]), await prerenderedFor(PROVIDERS)];
  if (all.markup === none.markup) return none;
  let from = 0;
  while (all.markup[from] === none.markup[from]) from++;
  from = all.markup.lastIndexOf("<", from);
  const added = all.markup.slice(from, from + all.markup.length - none.markup.length);
  const buttons = added.match(/<button.*?<\/button>/gs) ?? [];
  const marked = buttons.reduce(
    (text, button, at) => replaced(text, button, `<!--provider:${PROVIDERS[at]?.name}-->${button}<!--/provider-->`),
    added,
  );
  const markup = replaced(all.markup, added, `<!--providers-->${marked}<!--/providers-->`);
  for (const providers of [[], PROVIDERS, ...PROVIDERS.map((one) => [one])]) {
    const { markup: expected } = await prerenderedFor(providers);
    const names = providers.map(({ name }) => name);
    if (withProviders(markup, names) !== expected)
      throw new Error(`Cannot take "${names}" out of the drawn page "${path}"`);
  }
  return { ...all, markup };
}

/**
 * The content security policy forbids style attributes: each becomes a rule, which `hydration_handover.ts` turns back
 * into an attribute.
 */
function withStyleRules(markup: string): { markup: string; rules: string } {
  const styles = new Set([...markup.matchAll(/ style="([^"]*)"/g)].map(([, style]) => style ?? ""));
  if ([...styles].some((style) => /[&\\]/.test(style))) throw new Error("Cannot make a rule of a quoted style");
  const rules = [...styles].map((style) => `[data-style="${style}"]{${style}}`).join("");
  return { markup: markup.replaceAll(/ style="/g, ' data-style="'), rules };
}

/** The scripts that a page needs beyond the entry script, if its code is a separate chunk. */
function ownChunks(bundle: Rolldown.OutputBundle, path: string): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
  const own = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, `identity/sign_in/${path}.tsx`));
  return own
    ? chunks.filter((each) => each === own || (own.imports.includes(each.fileName) && !isInEveryPage(each)))
    : [];
}

/** What an answer to the form may need: its dialog. Preloaded once the form is submitted. */
const AFTER_SUBMISSION = ["ui/dialog/message_dialog.tsx", "ui/dialog/overlays.ts"];

function chunksAfterSubmission({ bundle, page }: Around, loaded: readonly string[]): string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
  const needed = AFTER_SUBMISSION.flatMap((path) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(root, path)));
    if (!chunk) throw new Error(`Cannot find the chunk of ${path}`);
    return [chunk.fileName, ...chunk.imports];
  });
  return [...new Set(needed)].filter((name) => !loaded.includes(name) && !page.includes(name));
}

/** Already linked in every page. */
function isInEveryPage({ name }: Rolldown.OutputChunk): boolean {
  return name === "index" || name === "rolldown-runtime";
}

/** All style sheets of a page, beginning with the frame's. */
function sheetsOf({ path, page, bundle }: Around): string {
  const linked = [...page.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/g)].map(([, name]) => name ?? "");
  const own = ownChunks(bundle, path).flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const sheets = [...linked, ...own].map((name) => String((bundle[name] as Rolldown.OutputAsset).source));
  return sheets.join("");
}

type Around = Omit<PrerenderOptions, "providers"> & { page: string; bundle: Rolldown.OutputBundle; script: string };

function headOf(around: Around): string {
  const { language, path, bundle, script } = around;
  const texts = path === "register" ? ["texts", "registration-texts"] : ["texts"];
  const words = texts.map((part) => `assets/${part}-${language}-`);
  const wanted = Object.keys(bundle).filter((name) => words.some((start) => name.startsWith(start)));
  const scripts = [...wanted, ...ownChunks(bundle, path).map(({ fileName }) => fileName)];
  const later = chunksAfterSubmission(around, scripts)
    .map((name) => `/${name}`)
    .join(" ");
  return [
    ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    `<link rel="preload" as="fetch" crossorigin href="${PRELOADED_FIRST}" data-next="${PRELOADED_NEXT.join(" ")}" data-after-submission="${later}">`,
    `<script>${script}</script>`,
    "",
  ].join("\n    ");
}

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

/** What the prehydration script shows when the login is refused. */
function refusalDialog({ language, path }: Around): string {
  if (path !== "login") return "";
  const read = (topic: string) => JSON.parse(readFileSync(join(root, `../locales/${language}/${topic}.json`), "utf8"));
  const [ui, errors] = [read("ui"), read("errors")];
  return `<dialog id="refused" class="refused" aria-labelledby="refused-title"><h2 id="refused-title">${ui["login.failed"]}</h2><p>${errors.CREDENTIALS_INVALID}</p><button type="button" class="refused-close">${ui.close}</button></dialog>`;
}

/** The app's document with a prerendered screen inside. */
function documentOf(prerendered: PrerenderedPage, around: Around): string {
  const { title } = prerendered;
  const { language, path, page } = around;
  const { markup, rules } = withStyleRules(prerendered.markup);
  const words = JSON.parse(readFileSync(join(root, `../locales/${language}/ui.json`), "utf8")) as Record<
    string,
    string
  >;
  const styles = [...markup.matchAll(STYLES)].map(([style]) => style).join("");
  const screen = markup.replaceAll(STYLES, "").replaceAll(' data-waits="true"', ' data-waits="true" inert=""');
  const refusal = refusalDialog(around);
  const changes: [string | RegExp, string][] = [
    [/<title>.*?<\/title>/, `<title>${title}</title>`],
    [/<style nonce="[^"]*">/, "<style>"],
    ["</style>", `${criticalCss(sheetsOf(around), markup + refusal)}${rules}</style>${styles}`],
    ['<script type="module"', `${headOf(around)}<script type="module"`],
    // The colour scheme is set by a script; without scripts it is light.
    ['<html lang="en"', '<html lang="en" data-mantine-color-scheme="light"'],
    ["<body>", `<body>\n    <noscript><p class="no-script">${words["boot.no_script"]}</p></noscript>`],
    [
      /<div id="root">.*?<\/div>\s*<\/div>/s,
      `<div id="root" data-drawn="/${language}/${path}" data-providers="__PROVIDERS__">${screen}</div>${refusal}`,
    ],
  ];
  return changes.reduce((text, [before, after]) => replaced(text, before, after), page);
}

/** Prerenders the sign-in pages into documents of their own, so that they are visible before any script has run. */
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
        const script = await prehydrationScript();
        await withPrerenderer(mode, plugins, async (draw) => {
          for (const language of LANGUAGES) {
            for (const path of PATHS) {
              const prerendered = await withAllProviders(draw, { language, path });
              emit(`drawn/${language}/${path}.html`, documentOf(prerendered, { language, path, page, bundle, script }));
            }
          }
        });
      },
    },
  };
}
