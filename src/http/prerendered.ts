import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isLanguage, type Language } from "../shared/language.ts";

/** The documents of one language by their address, a path with a query, and the paths of all pages. */
type Prerendered = { documents: Record<string, string>; paths: string[] };

type Options = {
  /** The facts of this installation that pages show, as `GET /api/instance` answers them. */
  instance: unknown;
  report: (error: unknown) => void;
};

const NOTHING: Prerendered = { documents: {}, paths: [] };
const PATIENCE_MS = 60_000;

/** The error page for an address of which the app has no page. */
const missing = (language: Language) => `/${language}/error-page?err=404`;

/**
 * The public pages as the app first shows them, rendered with this installation's settings when the first of a language is
 * requested. A process of its own does that within a second and ends, as what it needs would keep 100 MB of memory.
 */
export function prerendered(directory: string, { instance, report }: Options) {
  const program = join(directory, "prerender/prerender_entry.js");
  const languages = new Map<Language, Promise<Prerendered>>();
  let hasFailed = false;

  async function render(language: Language): Promise<Prerendered> {
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

  async function ofLanguage(language: Language): Promise<Prerendered> {
    const rendering = languages.get(language) ?? render(language);
    languages.set(language, rendering);
    try {
      return await rendering;
    } catch (error) {
      if (!hasFailed) report(error);
      hasFailed = true;
      return NOTHING;
    }
  }

  /** The document of the page at this address, for signed-out visitors, with the address that it was rendered for. */
  return async (path: string, search: string): Promise<{ address: string; html: string } | undefined> => {
    const [, language, page = ""] = path.split("/");
    if (!isLanguage(language) || page === "") return undefined;
    const { documents, paths } = await ofLanguage(language);
    const isPage = paths.some((one) => one.split("/")[0] === page);
    const address = isPage ? [path + search, path].find((one) => documents[one] !== undefined) : missing(language);
    const html = address === undefined ? undefined : documents[address];
    return address === undefined || html === undefined ? undefined : { address, html };
  };
}
