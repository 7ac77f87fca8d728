import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { intlTranslate } from "../src/notifications/adapters/translate.ts";
import type { Translate } from "../src/notifications/ports.ts";
import { everyDiscreetMessage, everyMessage } from "./notifications/every_message.ts";

const ROOT = join(import.meta.dirname, "..");

/** The code that may use messages, without its comments. The start page names its messages in comments. */
const sources = new Map(
  [...new Bun.Glob("{src,web}/**/*.{ts,tsx,html}").scanSync(ROOT)]
    .filter((path) => !path.startsWith("web/dist/"))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);
const code = [...sources.values()]
  .join("\n")
  .replaceAll(/<!-- texts:([\w.]+) -->/g, '"$1"')
  .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
const named = new Set([
  ...[...code.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text ?? ""),
  ...[...code.matchAll(/(?:^|[{,(\s])([A-Za-z_]\w*)\s*:/g)].map(([, name]) => name ?? ""),
]);

type Pattern = { expression: RegExp; text: string };

/** `a.${b}.c` as a pattern with a group for each placeholder; undefined without constant parts. */
function patternOf(template: string): Pattern | undefined {
  const fixed = template.split(/\$\{[^{}`]*\}/);
  if (!/[a-z]/i.test(fixed.join(""))) return undefined;
  const escaped = fixed.map((part) => part.replaceAll(".", "\\."));
  return { expression: new RegExp(`^${escaped.join("(.+)")}$`), text: template };
}

function patternsIn(text: string): Pattern[] {
  const templates = new Set(text.match(/[\w.:-]*(?:\$\{[^{}`]*\}[\w.:-]*)+/g));
  return [...templates].map(patternOf).filter((pattern) => pattern !== undefined);
}

const patterns = patternsIn(code);

/** Whether the code contains a key, literally or as a template. */
function isNamed(key: string): boolean {
  if (named.has(key)) return true;
  return patterns.some(({ expression }) => {
    const parts = expression.exec(key)?.slice(1);
    return parts?.every((part) => named.has(part) || /^\d+$/.test(part)) ?? false;
  });
}

const topics = readdirSync(join(ROOT, "locales/en")).map((file) => basename(file, ".json"));
const keysOf = (topic: string) => Object.keys(JSON.parse(readFileSync(join(ROOT, `locales/en/${topic}.json`), "utf8")));

/** The keys used when all messages are rendered. */
function keysOfMessages(): Set<string> {
  const asked = new Set<string>();
  const inner = intlTranslate();
  const translate: Translate = Object.assign(
    (...[language, key, params]: Parameters<Translate>) => {
      asked.add(key);
      return inner(language, key, params);
    },
    { has: inner.has },
  );
  everyMessage({ language: "en", translate });
  everyDiscreetMessage({ language: "en", translate });
  return asked;
}

/** Problems with a file's calls of `useTopic`, which returns a fallback if the key is unknown. */
function unknownKeys(path: string, text: string): string[] {
  return [...text.matchAll(/const (\w+) = useTopic\("(\w+)"\)/g)].flatMap(([, name = "", topic = ""]) => {
    const keys = keysOf(topic);
    const asked = [...text.matchAll(new RegExp(`\\b${name}\\(\\s*(?:"([^"]+)"|\`([^\`]+)\`)`, "g"))];
    return asked.flatMap(([, key, template]) => {
      const expression = template === undefined ? undefined : patternOf(template)?.expression;
      const isKnown = key === undefined ? keys.some((known) => expression?.test(known)) : keys.includes(key);
      return isKnown ? [] : [`${path}: ${topic} ${key ?? template}`];
    });
  });
}

describe("the messages in locales/", () => {
  test.each(topics)("of %s are all used", (topic) => {
    const asked = topic === "mail" ? keysOfMessages() : new Set<string>();
    const unused = keysOf(topic).filter(
      (key) => ![key, `${topic}.${key}`, `${topic}:${key}`].some((name) => asked.has(name) || isNamed(name)),
    );
    expect(unused).toEqual([]);
  });

  test("that a page uses by topic exist", () => {
    expect([...sources].flatMap(([path, text]) => unknownKeys(path, text))).toEqual([]);
  });

  test("are reported if they are missing or unused", () => {
    const page = ['const words = useTopic("flags");', 'words("no such flag", "");', "words(`no_such.$" + "{flag}`);"];
    expect(unknownKeys("web/page.tsx", page.join("\n"))).toHaveLength(2);
    expect(isNamed("no.such.key")).toBe(false);
  });
});

test("what the server translates has words", () => {
  const has = intlTranslate().has;
  const asked = [...code.matchAll(/\btranslate\(\w+, "([\w.]+)"/g)].map(([, key = ""]) => key);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((key) => !has("en", key))).toEqual([]);
});
