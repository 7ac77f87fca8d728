import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Topics that no page of the web app loads, in the order in which people meet them. */
const ELSEWHERE = ["mail", "telegram", "errors", "install", "maintenance", "sandbox", "alerts_csv", "domains_csv"];

export type Screen = { path: string; topics: string[] };

/** The pages of the app in the order of the route table, each with the topics that only some pages load. */
export function screens(): Screen[] {
  const table = readFileSync(join(ROOT, "web/app/page_table.ts"), "utf8").replaceAll("...STAFF", '"staff"');
  return [...table.matchAll(/\n {4}path: "([^"]*)",([\s\S]*?)\n {2}\}/g)].map(([, path = "", rest = ""]) => {
    const [, list = ""] = /topics: (\[[^\]]*\]|STAFF)/.exec(rest) ?? [];
    const topics = [...list.replace("STAFF", '"staff"').matchAll(/"(\w+)"/g)].map(([, topic = ""]) => topic);
    return { path, topics };
  });
}

/** Every topic once: what all pages share, then by page, then mails and the rest. */
export function topicsInReadingOrder(): string[] {
  const all = readdirSync(join(ROOT, "locales/en")).map((file) => basename(file, ".json"));
  const met = ["ui", ...screens().flatMap(({ topics }) => topics), ...ELSEWHERE];
  return [...new Set([...met, ...all.toSorted()])].filter((topic) => all.includes(topic));
}

type Source = { path: string; literals: Set<string>; patterns: RegExp[] };

let sources: Source[] | undefined;

function sourceOf(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8").replaceAll(/<!-- texts:([\w.]+) -->/g, '"$1"');
  const literals = new Set([...text.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, literal = ""]) => literal));
  const templates = new Set(text.match(/[\w.:-]+(?:\$\{[^{}`]*\}[\w.:-]*)+/g));
  const patterns = [...templates]
    .map((template) => template.split(/\$\{[^{}`]*\}/))
    .filter(([first = ""]) => first.includes(".") || first.includes(":"))
    .map((fixed) => new RegExp(`^${fixed.map((part) => part.replaceAll(".", "\\.")).join("[\\w-]+")}$`));
  return { path, literals, patterns };
}

/** The source files that name a text, literally or else by a template: those of the app, if its pages load the topic. */
export function placesOf(topic: string, key: string): string[] {
  sources ??= [...new Bun.Glob("{src,web}/**/*.{ts,tsx,html}").scanSync(ROOT)]
    .filter((path) => !path.startsWith("web/dist/"))
    .toSorted()
    .map(sourceOf);
  const read = ELSEWHERE.includes(topic) ? sources : sources.filter(({ path }) => path.startsWith("web/"));
  const names = [key, `${topic}.${key}`, `${topic}:${key}`];
  const literal = read.filter(({ literals }) => names.some((name) => literals.has(name)));
  const found =
    literal.length > 0
      ? literal
      : read.filter(({ patterns }) => names.some((name) => patterns.some((pattern) => pattern.test(name))));
  return found.map(({ path }) => path);
}
