import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** The text of each file, by its path from the project's root. */
export type Tree = Map<string, string>;

/** `target` is the path from the project's root, or the specifier itself for a package. */
export type Import = { specifier: string; target: string; isPackage: boolean; isType: boolean };

/** A file as the rules see it; `code` is its text without comments and the contents of strings. */
export type Source = { path: string; text: string; code: string; imports: Import[] };
export type Sources = Map<string, Source>;

// Comments, and what looks like one inside a string: templates and strings are matched first.
const TOKENS = /(`(?:\\[\s\S]|[^`\\])*`)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\*[\s\S]*?\*\/|(?<!\\)\/\/.*/g;
const STATEMENT =
  /(?:^|;)[ \t]*(?:import|export)\b(?:\s+(type)\b(?!\s*(?:,|from\b)))?\s*(?:[\w$*{},\s]+?\bfrom\s*)?["']([^"'\n]+)["']/gm;
const CALL = /\b(?:import\b(?:\.meta\.glob)?|require)\s*(?:<[^>]*>)?\(\s*["'`]([^"'`$]+)["'`]/g;

function importOf(path: string, specifier: string, isType: boolean): Import {
  const isPackage = !/^[./]/.test(specifier);
  return { specifier, isPackage, isType, target: isPackage ? specifier : posix.join(posix.dirname(path), specifier) };
}

/** Every import of a text: values and types, `export … from`, for side effects, dynamic and by glob pattern. */
export function importsOf(path: string, text: string): Import[] {
  const code = text.replace(TOKENS, (_, template = "", string = "") => template + string);
  return [
    ...[...code.matchAll(STATEMENT)].map(([, type, specifier = ""]) => importOf(path, specifier, type !== undefined)),
    ...[...code.matchAll(CALL)].map(([, specifier = ""]) => importOf(path, specifier, false)),
  ];
}

/** Cached, as all files are checked repeatedly together with others. */
const read = new Map<string, Source>();

function sourceOf(path: string, text: string): Source {
  const known = read.get(path);
  if (known?.text === text) return known;
  const isCode = /\.tsx?$/.test(path);
  const code = isCode ? text.replace(TOKENS, (_, template = "", string) => template + (string ? '""' : "")) : "";
  const source = { path, text, code, imports: isCode ? importsOf(path, text) : [] };
  read.set(path, source);
  return source;
}

export function sourcesOf(tree: Tree): Sources {
  return new Map([...tree].map(([path, text]) => [path, sourceOf(path, text)]));
}

const knots = new WeakMap<Sources, Set<string>>();

/** What is left after repeatedly removing every file that imports none of the others: every cycle is in it. */
function knotOf(sources: Sources): Set<string> {
  const known = knots.get(sources);
  if (known) return known;
  const left = new Set(sources.keys());
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const path of left) if (!sources.get(path)?.imports.some(({ target }) => left.has(target))) left.delete(path);
  }
  knots.set(sources, left);
  return left;
}

/** The imports through which a file reaches itself; `isSpared` excludes a step from the search. */
export function cyclesOf(path: string, sources: Sources, isSpared: (from: string, step: Import) => boolean): Import[] {
  const knot = knotOf(sources);
  if (!knot.has(path)) return [];
  return (sources.get(path)?.imports ?? []).filter((first) => {
    const seen = new Set<string>();
    const open = [{ from: path, step: first }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { from, step } = next;
      if (isSpared(from, step)) continue;
      if (step.target === path) return true;
      if (seen.has(step.target) || !knot.has(step.target)) continue;
      seen.add(step.target);
      for (const further of sources.get(step.target)?.imports ?? []) open.push({ from: step.target, step: further });
    }
    return false;
  });
}

/** The source files in some folders of the project, without build output. */
export function readTree(root: string, folders: readonly string[]): Tree {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => posix.join(folder, name)),
  );
  const wanted = paths.filter(
    (path) => /\.(tsx?|json|css|html)$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path),
  );
  return new Map(wanted.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}
