import { posix } from "node:path";
import { cyclesOf, type Import, type Source, type Sources, sourcesOf, type Tree } from "./imports.ts";

export type Violation = { rule: RuleName; path: string; says: string };
/** What a rule would refuse, by path or by `from -> to`, each with the reason why it stands. */
export type Exceptions = { long: Record<string, string>; typeCycles: Record<string, string> };

type Place = { side: "inside" | "adapter" | "house" | "top" | "other"; room: string };
type Reach = { paths: RegExp; packages: string[] };

/** The packages of an adapter, by the first word of its name. */
const TECHNOLOGY: Record<string, string[]> = {
  http: ["hono", "hono-openapi", "valibot"],
  postgres: ["drizzle-orm"],
  tables: ["drizzle-orm"],
  hibp: ["valibot"],
  xposedornot: ["valibot"],
  email: ["nodemailer"],
  telegram: ["valibot"],
  bounce: ["postal-mime"],
  mailbox: ["hono", "nodemailer"],
  intl: ["@formatjs/intl"],
  user: ["bowser"],
  authenticator: ["@oslojs/otp", "@oslojs/encoding"],
  passkeys: ["@simplewebauthn/server"],
  arctic: ["arctic", "valibot"],
  stripe: ["stripe", "valibot"],
  sandbox: ["hono"],
  sanitize: ["sanitize-html"],
};
const HOUSE: Record<string, Reach> = {
  database: {
    paths: /^src\/(database|shared|events)\//,
    packages: ["drizzle-orm", "postgres", "@electric-sql/pglite"],
  },
  backup: { paths: /^src\/(backup|database|shared)\//, packages: ["drizzle-orm"] },
  telemetry: {
    paths: /^src\/(telemetry|database|http|shared)\//,
    packages: [
      ...["hono", "prom-client", "@opentelemetry/api", "@opentelemetry/context-async-hooks"],
      ...["@opentelemetry/exporter-trace-otlp-http", "@opentelemetry/resources", "@opentelemetry/sdk-trace"],
    ],
  },
  http: { paths: /^src\/(http|shared)\//, packages: ["hono", "hono-openapi", "valibot"] },
};
const TOP: Record<string, string[]> = {
  "src/server/app.ts": ["hono", "hono-openapi", "valibot"],
  "src/server/api_routes.ts": ["hono", "hono-openapi", "valibot"],
  // One answer of several modules.
  "src/server/dashboard.ts": ["hono", "valibot"],
  "src/config/config.ts": ["valibot"],
  "src/config/config_values.ts": ["valibot"],
  "src/config/general_config.ts": ["valibot"],
  "src/config/settings_table.ts": ["valibot"],
  "src/config/settings.ts": ["valibot"],
  "src/config/telemetry_config.ts": ["valibot"],
  "src/runtime/serve.ts": ["hono"],
  "src/config/backup_config.ts": ["valibot"],
  "src/config/billing_config.ts": ["valibot"],
  "src/config/proxy_config.ts": ["valibot"],
  "src/config/provider_config.ts": ["valibot"],
  "src/config/source_config.ts": ["valibot"],
  "src/config/mail_config.ts": ["valibot"],
  "src/config/channel_config.ts": ["valibot"],
  "src/runtime/backups.ts": ["drizzle-orm"],
  "src/cli/doctor_database.ts": ["drizzle-orm"],
  "src/cli/doctor_jobs.ts": ["drizzle-orm"],
  "src/cli/migrate.ts": ["drizzle-orm"],
  "src/runtime/jobs.ts": ["croner"],
  "src/runtime/system.ts": ["@oslojs/crypto", "@oslojs/encoding"],
  "src/build/dev.ts": ["vite"],
  "src/build/dev_pages.ts": ["vite"],
};
const ENTRY_SCRIPTS = [
  "src/main.ts",
  "src/build/prepare.ts",
  "src/build/publish_breach.ts",
  "src/breachbell.ts",
  "src/build/dev.ts",
];
/** They name every module's types, and call none. */
const WIRING = [
  ...["src/server/app.ts", "src/server/api_routes.ts", "src/server/dashboard.ts"],
  ...["src/adapter_types.ts", "src/subscription_list.ts"],
];
const MAX_LINES = 250;

const GLOBALS =
  /(?<![.\w$])(?:Bun|globalThis)\b|(?<![.\w$])(?:process|crypto)\s*[.[]|\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|\bMath\.random\b|(?<![.\w$])fetch\s*\(|\bperformance\.now\b/g;
const ENVIRONMENT =
  /\b(?:process|Bun|import\.meta)\s*(?:\??\.\s*env\b|(?:\?\.)?\[)|\benv\b[^=;]*\}\s*=\s*(?:process|Bun|import\.meta)\b/;
const COMPUTED = /\b(?:import\b(?:\.meta\.glob)?|require)\s*(?:<[^>]*>)?\((?!\s*")/;
/** Part of the build, which draws pages with what it has just built for that. */
const BUILDS_WHAT_IT_IMPORTS = "web/build/drawn_pages.ts";
const DEFAULT_EXPORT = /^\s*export\s+default\b|^\s*export\s*\{[^}]*\bas\s+default\b/m;
const PAGE = /^web\/(?!ui\/|public\/)\w+\/\w+\.tsx$/;

function placeOf(path: string): Place {
  const [top = "", room = "", third] = path.split("/");
  if (top !== "src") return { side: "other", room: top };
  if (third === undefined || path in TOP || room === "cli") return { side: "top", room: "" };
  if (room in HOUSE) return { side: "house", room };
  return { side: third === "adapters" ? "adapter" : "inside", room };
}

/** The module that a file belongs to. */
function moduleOf(path: string): string | undefined {
  const { side, room } = placeOf(path);
  return (side === "inside" || side === "adapter") && room !== "shared" && room !== "events" ? room : undefined;
}

/** The folder of `web/` that a file belongs to, unless it is everybody's. */
function featureOf(path: string): string | undefined {
  return /^web\/(?!ui\/|public\/)(\w+)\//.exec(path)?.[1];
}

function reachOf(path: string): Reach | undefined {
  const { side, room } = placeOf(path);
  if (side === "house") return HOUSE[room];
  if (side === "top") return { paths: /^src\//, packages: TOP[path] ?? [] };
  if (side === "adapter") {
    const technology = posix.basename(path).split(/[_.]/)[0] ?? "";
    return { paths: new RegExp(`^src/(${room}|shared|events|database|http)/`), packages: TECHNOLOGY[technology] ?? [] };
  }
  if (side === "other") return undefined;
  if (room === "shared") return { paths: /^src\/shared\//, packages: ["valibot"] };
  const paths = new RegExp(`^src/(shared/|events/catalogue\\.ts$|${room}/[^/]+$)`);
  return { paths, packages: /[/_]inputs\.ts$/.test(path) ? ["valibot"] : [] };
}

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
  /** No module imports another, not even its types. */
  R1: (source) => {
    const own = moduleOf(source.path);
    return refused(source, ({ target }) => own !== undefined && (moduleOf(target) ?? own) !== own);
  },

  /** Inside files import their own inside, `shared` and the events' catalogue. */
  R2: (source) => {
    const reach = placeOf(source.path).side === "inside" ? reachOf(source.path) : undefined;
    return refused(source, (wanted) => reach !== undefined && isBeyond(wanted, reach));
  },

  /** Inside files need no package (valibot in `inputs.ts`, `*_inputs.ts` and `shared`), and no clock, chance or platform of their own. */
  R3: (source) => {
    const reach = placeOf(source.path).side === "inside" ? reachOf(source.path) : undefined;
    if (reach === undefined) return [];
    const globals = [...source.code.matchAll(GLOBALS)].map(([name]) => `uses ${name}`);
    return [...refused(source, (wanted) => isForeign(wanted, reach)), ...globals];
  },

  /** Everything outside keeps to its rooms and to its own technology; what Bun brings along is free. */
  R4: (source) => {
    const reach = placeOf(source.path).side === "inside" ? undefined : reachOf(source.path);
    return refused(source, (wanted) => {
      if (reach === undefined) return false;
      return isBeyond(wanted, reach) || (isForeign(wanted, reach) && !/^(node|bun):/.test(wanted.specifier));
    });
  },

  /** A module's front door is for the composition and for tests; its types are for the routes too. */
  R5: (source) => {
    if (["src/compose.ts", "src/adapters.ts"].includes(source.path) || source.path.startsWith("test/")) return [];
    return refused(source, ({ target, isType }) => {
      const routes = new RegExp(`^${target.replace("mod.ts", String.raw`adapters/http(_\w+)?\.ts`)}$`);
      const isHost = WIRING.includes(source.path) || routes.test(source.path);
      return /^src\/\w+\/mod\.ts$/.test(target) && !(isType && isHost);
    });
  },

  /** Only entry scripts see the environment. */
  R6: (source) => {
    if (ENTRY_SCRIPTS.includes(source.path) || source.path.startsWith("test/")) return [];
    const reads = ENVIRONMENT.test(source.code) ? ["reads the environment"] : [];
    return [...reads, ...refused(source, ({ specifier }) => /^(node:)?process$/.test(specifier))];
  },

  /** The web app knows the server by the type of its routes, its inputs and the shared kernel. */
  R7: (source) =>
    refused(source, ({ isPackage, isType, target }) => {
      const isKnown =
        /^src\/(shared\/.+|\w+\/(\w+_)?inputs\.ts)$/.test(target) || (isType && target === "src/server/api_routes.ts");
      return source.path.startsWith("web/") && !isPackage && !isKnown && !/^(web|locales)\//.test(target);
    }),

  /** `ui` knows no feature, a feature no other feature, and only the route table imports pages. */
  R8: (source, sources) => {
    const own = featureOf(source.path);
    const isBound = own !== undefined || source.path.startsWith("web/ui/");
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
    ...(COMPUTED.test(source.code) && !source.path.startsWith("test/") && source.path !== BUILDS_WHAT_IT_IMPORTS
      ? ["imports what only its run can tell"]
      : []),
    ...refused(source, ({ isPackage, specifier }) =>
      isPackage ? /^([~#]|@\/)/.test(specifier) : specifier.startsWith("/") || !/\.\w+(\?\w+)?$/.test(specifier),
    ),
    ...cyclesOf(source.path, sources, (from, { target, isType }) => isType && `${from} -> ${target}` in typeCycles).map(
      ({ specifier }) => `imports itself by way of "${specifier}"`,
    ),
  ],

  /** A long file says why. */
  R10: ({ path, text }, _, { long }) => {
    const lines = text.split("\n").length - 1;
    return lines > MAX_LINES && !(path in long) ? [`has ${lines} lines`] : [];
  },

  /** Underscores in file names. */
  names: ({ path }) => (/^[a-z0-9_.]+$/.test(posix.basename(path)) ? [] : ["is not named with underscores"]),

  /** Default exports are for the pages that the route table loads, and for what a tool reads. */
  exports: ({ path, code }) =>
    !DEFAULT_EXPORT.test(code) || PAGE.test(path) || path === "web/build/vite.config.ts"
      ? []
      : ["has a default export"],
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as RuleName[];

/** Every place where the tree breaks a rule of the house. */
export function check(tree: Tree, exceptions: Exceptions): Violation[] {
  const sources = sourcesOf(tree);
  return [...sources.values()].flatMap((source) =>
    RULE_NAMES.flatMap((rule) =>
      (RULES[rule] as Rule)(source, sources, exceptions).map((says) => ({ rule, path: source.path, says })),
    ),
  );
}
