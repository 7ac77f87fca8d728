import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { LANGUAGES } from "../../src/shared/language.ts";
import { builtSite } from "./browser.ts";
import { serveSite } from "./site.ts";

setDefaultTimeout(120_000);

// `bun run bench` measures what a browser receives: at most 180 KB for the login and 80 KB more for the dashboard. These
// bounds are without headers and API responses, about 7 and 14 KB, and leave room for a few more kilobytes: they detect
// a library or a feature in the wrong chunk.
const FIRST = 173_000;
const NEXT = 66_000;

let folder = "";
let site: ReturnType<typeof serveSite>;
beforeAll(async () => {
  folder = await builtSite();
  site = serveSite(folder);
});
afterAll(() => site.close());

const read = (name: string) => readFileSync(join(folder, name));

const weights = new Map<string, number>();

/** The compressed size of these files, in bytes. */
function weightOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => {
    const weight = weights.get(name) ?? brotliCompressSync(read(name)).length;
    weights.set(name, weight);
    return sum + weight;
  }, 0);
}

/** The scripts and style sheets that a document links, with those that they import. */
function linkedBy(document: string): Set<string> {
  const found = [...document.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)];
  return withImports(found.map(([, name]) => name ?? ""));
}

/** These files and all that they import statically. */
function withImports(names: string[], known = new Set<string>()): Set<string> {
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    const imports = read(name)
      .toString()
      .matchAll(/(?:\bfrom|\bimport)["'`]\.\/([^"'`]+\.js)["'`]/g);
    withImports(
      [...imports].map(([, file]) => `assets/${file}`),
      known,
    );
  }
  return known;
}

function asset(start: string, extension: "js" | "css"): string {
  const [name, ...more] = readdirSync(join(folder, "assets")).filter(
    (each) =>
      each.startsWith(`${start}-`) && /^[\w-]{8}\.\w+$/.test(each.slice(start.length + 1)) && each.endsWith(extension),
  );
  if (name === undefined || more.length > 0) throw new Error(`Cannot find the one asset ${start}.${extension}`);
  return `assets/${name}`;
}

test.each(LANGUAGES)("the login and the dashboard after it keep their weight in %s", async (language) => {
  site.set({ level: "unauthenticated" });
  const document = await (await fetch(`${site.origin}/${language}/login`)).text();
  const first = linkedBy(document);
  expect(brotliCompressSync(document).length + weightOf(first)).toBeLessThan(FIRST);
  const texts = ["more", "home", "registration"].map((group) => asset(`${group}-texts-${language}`, "js"));
  const next = withImports([asset("home", "js"), ...texts]).difference(first);
  expect(weightOf([...next, asset("home", "css")])).toBeLessThan(NEXT);
});
