import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { LANGUAGES, type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";

const root = join(import.meta.dirname, "..");
const LIGHT = "#f5f7fb";

/** Icon purposes of the web app manifest: `any` is the bare shield; `maskable` fills the square, as systems crop it. */
const ICONS = [
  { src: "/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
  { src: "/icon-maskable-192.png", sizes: "192x192", type: "image/png", purpose: "maskable" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
];

const HEAD = `    <meta name="description" content="__DESCRIPTION__" />
    <meta name="robots" content="__ROBOTS__" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${PRODUCT}" />
    <meta property="og:title" content="${PRODUCT}" />
    <meta property="og:description" content="__DESCRIPTION__" />
    <meta property="og:locale" content="__LANGUAGE__" />
    <meta property="og:url" content="__ORIGIN__/" />
    <meta property="og:image" content="__ORIGIN__/social.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="__DESCRIPTION__" />
    <meta name="twitter:card" content="summary_large_image" />
    <link rel="manifest" href="/manifest-__LANGUAGE__.webmanifest" />
    <link rel="icon" href="/favicon.ico" sizes="32x32" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <meta name="apple-mobile-web-app-title" content="${PRODUCT}" />
    <meta name="offline-page" content="/offline_worker.js" />
  </head>`;

function fileOf(path: string): string {
  return readFileSync(`${root}/${path}`, "utf8");
}

function textsOf(language: Language): (key: string) => string {
  const topics = ["ui", "install"].map((topic) => JSON.parse(fileOf(`../locales/${language}/${topic}.json`)));
  const texts = Object.assign({}, ...topics) as Record<string, string>;
  return (key) => texts[key] ?? key;
}

/** The web app manifest in one language. Its identity is the same in all of them. */
export function manifestOf(language: Language): Record<string, unknown> {
  const text = textsOf(language);
  const shortcut = (label: string, url: string) => ({ name: text(label), url, icons: ICONS.slice(0, 1) });
  return {
    id: "/",
    name: PRODUCT,
    short_name: PRODUCT,
    description: text("install.description"),
    lang: localeOf(language),
    dir: "ltr",
    // Without a language: the app redirects to the one chosen on the device.
    start_url: "/dashboard",
    scope: "/",
    display: "standalone",
    background_color: LIGHT,
    theme_color: LIGHT,
    categories: ["security", "utilities"],
    icons: ICONS,
    shortcuts: [shortcut("nav.alerts", "/alerts"), shortcut("nav.new_track", "/new-track")],
  };
}

/** The offline page, in all languages, since no other page can be fetched offline. */
export function offlinePage(): string {
  const parts = LANGUAGES.map((language) => {
    const text = textsOf(language);
    const isShown = language === "en" ? "" : " hidden";
    return `<main lang="${localeOf(language)}"${isShown}>
      <img src="/favicon.svg" width="64" height="64" alt="" />
      <h1>${text("offline.title")}</h1>
      <p>${text("offline.text")}</p>
      <p class="soft">${text("offline.watched")}</p>
      <button type="button">${text("offline.retry")}</button>
    </main>`;
  });
  return fileOf("app/offline.html").replace("<!-- languages -->", parts.join("\n    "));
}

/** Makes the app installable: emits a manifest per language, the offline page and its service worker. */
export function installable(): Plugin {
  return {
    name: "installable",
    apply: "build",
    transformIndexHtml: { order: "post", handler: (html) => html.replace("  </head>", HEAD) },
    generateBundle() {
      const page = offlinePage();
      const shown = ["offline.css", "offline.js", "theme.js", "favicon.svg"].map((name) => fileOf(`public/${name}`));
      const worker = fileOf("app/offline_worker.js");
      const number = createHash("sha256")
        .update([page, ...shown, worker].join("\0"))
        .digest("hex")
        .slice(0, 12);
      const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
      for (const language of LANGUAGES)
        emit(`manifest-${language}.webmanifest`, JSON.stringify(manifestOf(language), null, 2));
      emit("offline.html", page);
      emit("offline_worker.js", worker.replace("__NUMBER__", number));
    },
  };
}
