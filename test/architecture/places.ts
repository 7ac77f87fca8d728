// Which room a file belongs to, and what may be imported there.

type Place = { side: "inside" | "adapter" | "house" | "top" | "memory" | "other"; room: string };
export type Reach = { paths: RegExp; packages: string[] };

/** The packages of an adapter, by its path in its module's `adapters/`: the longest matching prefix applies. */
const TECHNOLOGY: Record<string, string[]> = {
  "http/": ["hono", "hono-openapi", "valibot"],
  "http/user_agent.ts": ["bowser"],
  "postgres/": ["drizzle-orm"],
  "sources/entries.ts": ["valibot"],
  "sources/hibp/": ["valibot"],
  "sources/xposedornot/": ["valibot"],
  "sources/sanitize_html.ts": ["sanitize-html"],
  "channels/email/email": ["nodemailer"],
  "translate.ts": ["@formatjs/intl"],
  "channels/email/bounce_mail.ts": ["postal-mime"],
  "channels/telegram/": ["valibot"],
  "channels/webpush/": ["@block65/webcrypto-web-push"],
  "channels/inbox/": ["hono", "nodemailer"],
  "secrets/authenticator_codes.ts": ["@oslojs/otp", "@oslojs/encoding"],
  "secrets/passkeys_webauthn.ts": ["@simplewebauthn/server"],
  "providers/": ["openid-client", "jose", "valibot"],
  "stripe/": ["stripe", "valibot"],
  "sandbox/": ["hono"],
};
/** Packages without input and output, by the path in the kernel. */
const SHARED: Record<string, string[]> = {
  "src/shared/": ["valibot"],
  "src/shared/shown_address.ts": ["punycode.js"],
};
const HOUSE: Record<string, Reach> = {
  database: {
    paths: /^src\/(database|shared|events)\//,
    packages: ["drizzle-orm", "postgres", "@electric-sql/pglite"],
  },
  backup: { paths: /^src\/(backup|database|shared)\//, packages: ["drizzle-orm", "age-encryption"] },
  outbound: { paths: /^src\/(outbound|shared)\//, packages: [] },
  telemetry: {
    paths: /^src\/(telemetry|database|http|shared)\//,
    packages: [
      ...["hono", "prom-client", "@opentelemetry/api", "@opentelemetry/context-async-hooks"],
      ...["@opentelemetry/exporter-trace-otlp-http", "@opentelemetry/resources", "@opentelemetry/sdk-trace"],
    ],
  },
  http: { paths: /^src\/(http|shared)\//, packages: ["hono", "hono-openapi", "valibot"] },
};
/** The top level, which knows all modules, and the packages that some of its files need. */
const ABOVE = ["server", "config", "runtime", "build", "cli"];
const TOP: Record<string, string[]> = {
  "src/server/": ["hono", "hono-openapi", "valibot"],
  "src/config/": ["valibot"],
  "src/serve.ts": ["hono"],
  "src/runtime/backups.ts": ["drizzle-orm"],
  "src/runtime/jobs.ts": ["croner"],
  "src/cli/completion.ts": ["commander"],
  "src/cli/doctor_database.ts": ["drizzle-orm"],
  "src/cli/doctor_jobs.ts": ["drizzle-orm"],
  "src/cli/doctor_rests.ts": ["drizzle-orm"],
  "src/cli/doctor_sources.ts": ["drizzle-orm"],
  "src/cli/migrate.ts": ["drizzle-orm"],
  "src/cli/parse.ts": ["commander"],
  "src/build/dev.ts": ["vite"],
  "src/build/dev_pages.ts": ["vite"],
};
export const ENTRY_SCRIPTS = [
  ...["src/main.ts", "src/breachbell.ts", "src/build/prepare.ts", "src/build/publish_breach.ts"],
  ...["src/build/dev.ts", "src/build/seed.ts"],
];
/** They use every module's types, but call none. */
export const WIRING = [...["src/module_types.ts", "src/adapter_types.ts", "src/subscription_list.ts"]];
/** The folders of `web/` that are no feature: what features are built from and composed by. */
const NO_FEATURE = ["app", "api", "forms", "styles", "build", "ui", "shared", "public", "drawings", "dist"];

export function placeOf(path: string): Place {
  const [top = "", room = "", third, fourth] = path.split("/");
  if (top === "test" && room === "memory") return { side: "memory", room: fourth === undefined ? "" : (third ?? "") };
  if (top !== "src") return { side: "other", room: top };
  if (third === undefined || ABOVE.includes(room)) return { side: "top", room: "" };
  if (room in HOUSE) return { side: "house", room };
  return { side: third === "adapters" ? "adapter" : "inside", room };
}

/** The module that a file belongs to. */
export function moduleOf(path: string): string | undefined {
  const { side, room } = placeOf(path);
  return (side === "inside" || side === "adapter") && room !== "shared" && room !== "events" ? room : undefined;
}

/** The folder of `web/` that a file belongs to, unless it is shared. */
export function featureOf(path: string): string | undefined {
  const [, folder] = /^web\/(\w+)\//.exec(path) ?? [];
  return folder === undefined || NO_FEATURE.includes(folder) ? undefined : folder;
}

/** What the entry with the longest matching prefix allows for a path. */
function allowedBy(table: Record<string, string[]>, path: string): string[] {
  const entries = Object.keys(table).filter((entry) => path.startsWith(entry));
  return table[entries.toSorted((one, other) => other.length - one.length)[0] ?? ""] ?? [];
}

export function reachOf(path: string): Reach | undefined {
  const { side, room } = placeOf(path);
  if (side === "house") return HOUSE[room];
  if (side === "top") return { paths: /^src\//, packages: allowedBy(TOP, path) };
  if (side === "memory")
    return {
      paths: new RegExp(`^(test/memory/(${room}/|events/|database\\.ts$)|src/(${room}|shared|events|database)/)`),
      packages: [],
    };
  if (side === "adapter") {
    const paths = new RegExp(`^src/(${room}|shared|events|database|http|outbound)/`);
    return { paths, packages: allowedBy(TECHNOLOGY, path.slice(`src/${room}/adapters/`.length)) };
  }
  if (side === "other") return undefined;
  if (room === "shared") return { paths: /^src\/shared\//, packages: allowedBy(SHARED, path) };
  const paths = new RegExp(`^src/(shared/|events/catalogue\\.ts$|${room}/(?!adapters/))`);
  return { paths, packages: /[/_]inputs\.ts$/.test(path) ? ["valibot"] : [] };
}
