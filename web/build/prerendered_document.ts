import { readFileSync } from "node:fs";

/** What the build tells the prerendering program (`prerender.ts`). */
export type BuiltFiles = {
  /** The prehydration script, which documents contain. */
  script: string;
  /** The style sheets of every page. */
  sheets: string[];
  /** The scripts and style sheets that a source file needs beyond the entry script, by the end of its path. */
  files: Record<string, string[]>;
};

export type Prerendered = {
  /** The path, with the query or fragment for which it was rendered. */
  address: string;
  instance: unknown;
  markup: string;
  title: string;
  /** Told where scripts are switched off. */
  noScript: string;
  /** Its source files, by the end of their paths. */
  modules: string[];
  /** Whether the operator's notice appears on the page. */
  announces: boolean;
};

/** Requested by every page during hydration, so the document preloads it in parallel with the scripts. */
const PRELOADED_FIRST = "/api/check-user-authentication/";
/** What a response to a form may need: its dialog. Preloaded once a form is submitted. */
const AFTER_SUBMISSION = ["/ui/dialog/message_dialog.tsx", "/ui/dialog/overlays.ts"];
/**
 * Mantine's style elements, which it renders into the body; they are moved to the head until `hydration_handover.ts`
 * puts them back.
 */
const STYLES = /<style data-mantine-styles[^>]*>.*?<\/style>/gs;

const ENTRY = /<script type="module"[^>]*><\/script>/;

function replaced(text: string, before: string | RegExp, after: string): string {
  const changed = text.replace(before, () => after);
  if (changed === text) throw new Error(`Cannot find ${before} in the page to prerender`);
  return changed;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
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

function filesOf({ files }: BuiltFiles, modules: readonly string[]): string[] {
  const found = modules.flatMap((module) => {
    const [one, ...others] = Object.keys(files).filter((path) => path.endsWith(module));
    if (one === undefined || others.length > 0) throw new Error(`Cannot find the one source file "${module}"`);
    return files[one] ?? [];
  });
  return [...new Set(found)];
}

/** The check of the session, in parallel with the page; the rest after its response (`prehydration.ts`). */
function firstRequest(later: readonly string[], { address, announces }: Prerendered): string {
  const next = announces ? "/api/service-notice" : "";
  const fragment = /#.*/.exec(address)?.[0] ?? "";
  return `<link rel="preload" as="fetch" crossorigin href="${PRELOADED_FIRST}" data-next="${next}" data-after-submission="${later.map((name) => `/${name}`).join(" ")}" data-fragment="${fragment}">`;
}

/** The app: a template until the page is painted (`prehydration.ts`), as the page can be read without scripts. */
function appOf(entry: string, own: readonly string[]): string {
  const links = own.map((name) => {
    const kind = name.endsWith(".css") ? 'rel="preload" as="style"' : 'rel="modulepreload"';
    return `<link ${kind} crossorigin href="/${name}">`;
  });
  return `<template id="app">${[...links, entry].join("")}</template>`;
}

/** The app's document with a prerendered page and its styles inside; of style sheets only the names. The working directory is that of the built app. */
export function documentOf(built: BuiltFiles, page: Prerendered): string {
  const index = readFileSync("index.html", "utf8");
  const { markup, rules } = withStyleRules(page.markup);
  const moved = [...markup.matchAll(STYLES)].map(([style]) => style).join("");
  const screen = markup.replaceAll(STYLES, "").replaceAll(' data-waits="true"', ' data-waits="true" inert=""');
  const own = filesOf(built, page.modules);
  const later = filesOf(built, AFTER_SUBMISSION).filter((name) => name.endsWith(".js") && !own.includes(name));
  const sheets = [...built.sheets, ...own.filter((name) => name.endsWith(".css"))];
  // The server puts in the sheets themselves.
  const css = sheets.map((name) => `/* /${name} */`).join("");
  const changes: [string | RegExp, string][] = [
    [/<title>.*?<\/title>/, `<title>${escaped(page.title)}</title>`],
    [/<style nonce="[^"]*">/, "<style>"],
    ["</style>", `${css}${rules}</style>${moved}`],
    [/ *<link rel="stylesheet"[^>]*>\n/g, ""],
    [ENTRY, appOf(ENTRY.exec(index)?.[0] ?? "", own)],
    ["</title>", `</title>\n    ${firstRequest(later, page)}\n    <script>${built.script}</script>`],
    // The colour scheme is set by a script; without scripts it is light.
    ['<html lang="en"', '<html lang="en" data-mantine-color-scheme="light"'],
    ["<body>", `<body>\n    <noscript><p class="no-script">${page.noScript}</p></noscript>`],
    [
      /<div id="root">.*?<\/div>\s*<\/div>/s,
      `<div id="root" data-drawn="${page.address}" data-instance="${escaped(JSON.stringify(page.instance))}">${screen}</div>`,
    ],
  ];
  return changes.reduce((text, [before, after]) => replaced(text, before, after), index);
}
