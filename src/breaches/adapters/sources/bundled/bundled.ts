import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Breach, newestOf } from "../../../catalogue/breach.ts";
import type { BreachFeed, SourceTrouble } from "../../../ports.ts";
import { readCatalogue } from "../hibp/hibp_model.ts";
import { bundledDomains, DOMAIN_ADDRESSES } from "./bundled_domains.ts";
import { bundledTraces, EXAMPLE_SITES } from "./bundled_traces.ts";

/**
 * The addresses that the bundled source "finds", with their breaches: fictitious, on reserved domains. Each is also in breaches
 * that are published later (`bun run publish-breach`), to demonstrate new alerts.
 */
export const EXAMPLE_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  // Well-known breaches; the next one to be published has passwords and is fourteen years old.
  "ada@example.com": ["Adobe", "LinkedIn", "Dropbox", "Canva", "CSDN", "Udemy"],
  "grace@example.com": ["Kickstarter", "Gravatar", "WIRED", "SoundCloud"],
  // In no breach at first.
  "alan@example.com": ["WebHostingTalk", "Instagram"],
  // A stealer log, a spam list and an unverified entry.
  "hedy@example.org": ["StealerLogsJan2025", "RiverCityMedia", "Collection1", "Instagram", "June2026StealerLogs"],
  "katherine@example.net": ["MyFitnessPal", "Wattpad", "Deezer", "UnderArmour", "CanadianTire", "Crunchyroll"],
  // Malware without a subscription, a fabricated entry, and the last entry of the catalogue.
  "margaret@example.net": ["OperationEndgame", "Paytm", "OperationEndgame4", "Suno"],
};

/** The published state until more is published, and the file in the data directory that stores it. */
export const FIRST_STATE = "2025-11-14T00:00:00Z";
export const STATE_FILE = "bundled_source.json";

const RETRY_MS = 60_000;

export type BundledCatalogue = { breaches: Breach[]; former: Map<string, Breach> };

async function readBundled(file: string): Promise<Breach[]> {
  const { breaches, leftOut } =
    readCatalogue(JSON.parse(await readFile(join(import.meta.dirname, file), "utf8"))) ?? {};
  if (breaches === undefined || leftOut?.length !== 0) throw new Error(`Cannot read the bundled breaches in "${file}"`);
  return breaches;
}

/** Every bundled breach, and the four that differ in the first state. Read from disk each time, as it is rarely needed. */
export async function bundledCatalogue(): Promise<BundledCatalogue> {
  const [breaches, former] = await Promise.all([
    readBundled("bundled_catalogue.json"),
    readBundled("bundled_changes.json"),
  ]);
  return { breaches, former: new Map(former.map((breach) => [breach.name, breach])) };
}

/** Indexes the published state, so that look-ups need not search the entries. */
async function lookOver(published: string) {
  const breaches = listedAt(await bundledCatalogue(), published);
  return { names: new Set(breaches.map(({ name }) => name)), newest: newestOf(breaches) };
}

/** The breaches that were added up to `published`; any state after the first one includes the corrected entries. */
export function listedAt({ breaches, former }: BundledCatalogue, published: string): Breach[] {
  const until = Date.parse(published);
  const corrected = until > Date.parse(FIRST_STATE);
  return breaches
    .filter((breach) => Date.parse(breach.addedDate) <= until)
    .map((breach) => (corrected ? breach : (former.get(breach.name) ?? breach)));
}

function publishedIn(text: string): string | undefined {
  try {
    const state: unknown = JSON.parse(text);
    if (typeof state !== "object" || state === null || !("published" in state)) return undefined;
    return typeof state.published === "string" && Date.parse(state.published) ? state.published : undefined;
  } catch {
    return undefined;
  }
}

/** The date up to which breaches are published; throws when the file does not hold a date. */
export async function readPublished(stateFile: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(stateFile, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return FIRST_STATE;
    throw error;
  }
  const published = publishedIn(text);
  if (published === undefined) throw new Error(`Cannot read "published" in "${stateFile}" as a date`);
  return published;
}

/** The real public catalogue with example addresses, published step by step by `publish_breach.ts`; no network. */
export function bundledFeed({ stateFile }: { stateFile: string }): BreachFeed {
  let known: { published: string; overview: ReturnType<typeof lookOver> } | undefined;

  /** Reads the state on every call, as another process writes it. */
  async function inState<Answer>(answer: (published: string) => Promise<Answer>): Promise<Answer | SourceTrouble> {
    try {
      return await answer(await readPublished(stateFile));
    } catch (error) {
      const reason = error instanceof Error ? error.message : "Cannot read the state of the bundled source";
      return { kind: "later", afterMs: RETRY_MS, reason };
    }
  }
  function overview(published: string) {
    if (known?.published !== published) known = { published, overview: lookOver(published) };
    return known.overview;
  }
  const listed = async (published: string) => listedAt(await bundledCatalogue(), published);
  const examplesOf = (address: string) =>
    [EXAMPLE_ADDRESSES, DOMAIN_ADDRESSES].find((examples) => Object.hasOwn(examples, address))?.[address] ?? [];

  return {
    source: "bundled",
    naming: "hibp",
    isMatched: false,
    demonstration: true,
    pollEveryMs: 5_000,
    traces: bundledTraces,
    domains: bundledDomains({
      addresses: EXAMPLE_ADDRESSES,
      sites: EXAMPLE_SITES,
      withPublished: (work) => inState(async (published) => work((await overview(published)).names)),
    }),

    latest: () =>
      inState(async (published) => {
        const { newest } = await overview(published);
        if (newest === undefined)
          return { kind: "later", afterMs: RETRY_MS, reason: "The bundled source has published nothing" };
        return { kind: "latest", name: newest.name, addedDate: newest.addedDate };
      }),

    catalogue: () =>
      inState(async (published) => ({ kind: "catalogue", breaches: await listed(published), leftOut: [] })),

    breach: (name) =>
      inState(async (published) => {
        const breaches = await listed(published);
        return { kind: "breach", breach: breaches.find((breach) => breach.name === name) };
      }),

    lookUp: (address) =>
      inState(async (published) => {
        const { names } = await overview(published);
        return { kind: "found", breaches: examplesOf(address).filter((name) => names.has(name)) };
      }),
  };
}
