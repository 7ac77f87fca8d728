import { posix } from "node:path";
import { longFunctions } from "./functions.ts";
import { cyclesOf, type Import, type Source, type Sources, sourcesOf, type Tree } from "./imports.ts";
import { ENTRY_SCRIPTS, featureOf, moduleOf, placeOf, type Reach, reachOf, WIRING } from "./places.ts";

export type Violation = { rule: RuleName; path: string; says: string };
/** Exceptions to a rule, by path or by `from -> to`, each with its reason. */
export type Exceptions = { long: Record<string, string>; typeCycles: Record<string, string> };

const MAX_FUNCTION_LINES = 50;
const MAX_TEST_LINES = 300;

const GLOBALS =
  /(?<![.\w$])(?:Bun|globalThis)\b|(?<![.\w$])(?:process|crypto)\s*[.[]|\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|\bMath\.random\b|(?<![.\w$])fetch\s*\(|\bperformance\.now\b/g;
const ENVIRONMENT =
  /\b(?:process|Bun|import\.meta)\s*(?:\??\.\s*env\b|(?:\?\.)?\[)|\benv\b[^=;]*\}\s*=\s*(?:process|Bun|import\.meta)\b/;
const COMPUTED = /\b(?:import\b(?:\.meta\.glob)?|require)\s*(?:<[^>]*>)?\((?!\s*")/;
const DEFAULT_EXPORT = /^\s*export\s+default\b|^\s*export\s*\{[^}]*\bas\s+default\b/m;
function isBeyond({ isPackage, target }: Import, { paths }: Reach): boolean {
  return !isPackage && !paths.test(target);
}

function isForeign({ isPackage, specifier }: Import, { packages }: Reach): boolean {
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return isPackage && !packages.includes(name);
}

function refused({ imports }: Source, isRefused: (wanted: Import) => boolean): string[] {
  return imports.filter(isRefused).map(({ specifier, isType }) => `imports ${isType ? "types of " : ""}"${specifier}"`);
}

type Rule = (source: Source, sources: Sources, exceptions: Exceptions) => string[];

const RULES = {
  /** No module imports another one, not even its types. */
  R1: (source) => {
    const own = moduleOf(source.path);
    return refused(source, ({ target }) => own !== undefined && (moduleOf(target) ?? own) !== own);
  },

  /** Inside files import only the inside of their module, `shared` and the event catalogue. */
  R2: (source) => {
    const reach = placeOf(source.path).side === "inside" ? reachOf(source.path) : undefined;
    return refused(source, (wanted) => reach !== undefined && isBeyond(wanted, reach));
  },

  /**
   * Inside files need no package (except valibot in `inputs.ts`, `*_inputs.ts` and `shared`), and do not access clock,
   * randomness or platform directly.
   */
  R3: (source) => {
    const reach = placeOf(source.path).side === "inside" ? reachOf(source.path) : undefined;
    if (reach === undefined) return [];
    const globals = [...source.code.matchAll(GLOBALS)].map(([name]) => `uses ${name}`);
    return [...refused(source, (wanted) => isForeign(wanted, reach)), ...globals];
  },

  /** Outside files stay within their rooms and their own technology; Bun's built-ins are allowed. */
  R4: (source) => {
    const reach = placeOf(source.path).side === "inside" ? undefined : reachOf(source.path);
    return refused(source, (wanted) => {
      if (reach === undefined) return false;
      return isBeyond(wanted, reach) || (isForeign(wanted, reach) && !/^(node|bun):/.test(wanted.specifier));
    });
  },

  /** A module's `mod.ts` is for the composition and for tests; its types are for the routes too. */
  R5: (source) => {
    if (["src/compose.ts", "src/adapters.ts"].includes(source.path) || source.path.startsWith("test/")) return [];
    return refused(source, ({ target, isType }) => {
      const routes = new RegExp(`^${target.replace("mod.ts", String.raw`adapters/http/\w+\.ts`)}$`);
      const isHost = WIRING.includes(source.path) || routes.test(source.path);
      return /^src\/\w+\/mod\.ts$/.test(target) && !(isType && isHost);
    });
  },

  /** Only entry scripts access the environment. */
  R6: (source) => {
    if (ENTRY_SCRIPTS.includes(source.path) || source.path.startsWith("test/")) return [];
    const reads = ENVIRONMENT.test(source.code) ? ["reads the environment"] : [];
    return [...reads, ...refused(source, ({ specifier }) => /^(node:)?process$/.test(specifier))];
  },

  /** The web app imports from the server only the type of its routes, its inputs and the shared kernel. */
  R7: (source) =>
    refused(source, ({ isPackage, isType, target }) => {
      const isKnown =
        /^src\/(shared\/.+|\w+\/(\w+\/)?(\w+_)?inputs\.ts)$/.test(target) ||
        (isType && target === "src/server/api_routes.ts");
      return source.path.startsWith("web/") && !isPackage && !isKnown && !/^(web|locales)\//.test(target);
    }),

  /** `ui` imports no feature, a feature no other feature, and only the route table imports pages. */
  R8: (source, sources) => {
    const own = featureOf(source.path);
    const isBound = own !== undefined || /^web\/(ui|shared)\//.test(source.path);
    return refused(source, ({ target, isType }) => {
      if (!source.path.startsWith("web/") || source.path === "web/app/page_table.ts" || featureOf(target) === undefined)
        return false;
      return (
        (isBound && featureOf(target) !== own) || (!isType && DEFAULT_EXPORT.test(sources.get(target)?.code ?? ""))
      );
    });
  },

  /** Relative paths with extension, no alias, no index file, no computed import, no cycle. */
  R9: (source, sources, { typeCycles }) => [
    ...(/(^|\/)index\.tsx?$/.test(source.path) ? ["is an index file"] : []),
    ...(COMPUTED.test(source.code) && !source.path.startsWith("test/") ? ["imports what only its run can tell"] : []),
    ...refused(source, ({ isPackage, specifier }) =>
      isPackage ? /^([~#]|@\/)/.test(specifier) : specifier.startsWith("/") || !/\.\w+(\?\w+)?$/.test(specifier),
    ),
    ...cyclesOf(source.path, sources, (from, { target, isType }) => isType && `${from} -> ${target}` in typeCycles).map(
      ({ specifier }) => `imports itself by way of "${specifier}"`,
    ),
  ],

  /** A function fits on a screen, except a factory, whose functions do; a test file covers one topic. */
  R10: ({ path, text }, _, { long }) => {
    if (path in long || !/\.tsx?$/.test(path)) return [];
    if (!path.startsWith("test/"))
      return longFunctions(path, text, MAX_FUNCTION_LINES).map(
        ({ line, lines }) => `has a function of ${lines} lines in line ${line}`,
      );
    const lines = text.split("\n").length - 1;
    return lines > MAX_TEST_LINES ? [`has ${lines} lines`] : [];
  },

  /** Underscores in file names. */
  names: ({ path }) => (/^[a-z0-9_.]+$/.test(posix.basename(path)) ? [] : ["is not named with underscores"]),

  /** Default exports are for the pages that the route table loads, for files that a tool reads, and for types of packages. */
  exports: ({ path, code }) =>
    !DEFAULT_EXPORT.test(code) ||
    featureOf(path) !== undefined ||
    path === "web/build/vite.config.ts" ||
    path.endsWith(".d.ts")
      ? []
      : ["has a default export"],
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as RuleName[];

/** Every place where the tree violates a rule. */
export function check(tree: Tree, exceptions: Exceptions): Violation[] {
  const sources = sourcesOf(tree);
  return [...sources.values()].flatMap((source) =>
    RULE_NAMES.flatMap((rule) =>
      (RULES[rule] as Rule)(source, sources, exceptions).map((says) => ({ rule, path: source.path, says })),
    ),
  );
}
