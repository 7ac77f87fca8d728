import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isLanguage, type Language } from "../shared/language.ts";
import { orLate } from "../shared/or_late.ts";

/** The documents of one language by their address, a path with a query, and the paths of all pages. */
type Prerendered = { documents: Record<string, string>; paths: string[] };

type Options = {
  /** The app's page of this build. */
  index: string;
  /** The facts of this installation that pages show, as `GET /api/instance` answers them. */
  instance: unknown;
  report: (error: unknown) => void;
  /** How long a visitor waits for pages that are being rendered, before the app renders them in the browser. */
  waitMs?: number | undefined;
};

const NOTHING: Prerendered = { documents: {}, paths: [] };
const PATIENCE_MS = 60_000;

/** The error page for an address of which the app has no page. */
const missing = (language: Language) => `/${language}/error-page?err=404`;

/**
 * The public pages as the app first shows them, rendered with this installation's settings when the first of a language is
 * requested. A process of its own does that within a second and ends, so that the app's code does not stay in memory.
 */
export function prerendered(directory: string, { index, instance, report, waitMs = 3000 }: Options) {
  const program = join(directory, "prerender/prerender_entry.js");
  const languages = new Map<Language, Promise<Prerendered>>();
  // One language after the other, as each takes a process.
  let last = Promise.resolve(NOTHING);

  const soon = (rendering: Promise<Prerendered>) => orLate(waitMs, rendering, NOTHING);

  function without(error: unknown): Prerendered {
    report(error);
    return NOTHING;
  }

  async function render(language: Language): Promise<Prerendered> {
    // A build that was made since the start has other files.
    if ((await Bun.file(join(directory, "index.html")).text()) !== index) return NOTHING;
    const child = Bun.spawn([process.execPath, "--no-env-file", program], {
      cwd: directory,
      env: { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdin: new Blob([JSON.stringify({ language, instance })]),
      stdout: "pipe",
      stderr: "pipe",
      timeout: PATIENCE_MS,
    });
    const [documents, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
    if (status !== 0) throw new Error(`Cannot prerender the pages: ${errors}`);
    return JSON.parse(documents);
  }

  function begin(language: Language): Promise<Prerendered> {
    last = last.then(() => render(language)).catch(without);
    languages.set(language, last);
    return last;
  }

  /** The document of the page at this address, for signed-out visitors, with the address that it was rendered for. */
  return async (path: string, search: string): Promise<{ address: string; html: string } | undefined> => {
    const [, language, page = ""] = path.split("/");
    if (!isLanguage(language) || page === "") return undefined;
    const rendering = languages.get(language) ?? begin(language);
    const known = Bun.peek(rendering);
    const { documents, paths } = known instanceof Promise ? await soon(known) : known;
    // The app's routes ignore case.
    const isPage = paths.some((one) => one.split("/")[0] === page.toLowerCase());
    const address = isPage ? [path + search, path].find((one) => documents[one] !== undefined) : missing(language);
    const html = address === undefined ? undefined : documents[address];
    return address === undefined || html === undefined ? undefined : { address, html };
  };
}
