import type { AnyCommand, Given, OptionSpec, Options } from "./command.ts";

/** Options of every command. */
export const GLOBAL: Options = {
  json: { kind: "flag", says: "the answer as one JSON document, for programs" },
  yes: { kind: "flag", says: "do it without asking" },
  quiet: { kind: "flag", says: "say nothing unless something is wrong" },
  help: { kind: "flag", says: "explain the command" },
};
export type GlobalOptions = { json: boolean; yes: boolean; quiet: boolean };

export type Parsed =
  | { kind: "run"; command: AnyCommand; given: Given; global: GlobalOptions }
  /** `topic`: the words before `--help`; empty for the list of all commands. */
  | { kind: "help"; topic: string[]; global: GlobalOptions }
  | { kind: "wrong"; says: string; topic: string[]; global: GlobalOptions };

const EVERYWHERE = ["--json", "--yes", "-y", "--quiet", "-q", "--help", "-h", "--version"];
const SHORT: Record<string, string> = { h: "help", y: "yes", q: "quiet" };

/** The command with the longest name that matches the beginning of the words. */
export function findCommand(commands: AnyCommand[], words: string[]): AnyCommand | undefined {
  const fits = commands.filter(({ name }) => name.split(" ").every((word, index) => words[index] === word));
  return fits.toSorted((one, other) => other.name.length - one.name.length)[0];
}

/** Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let y = 1; y <= one.length; y += 1) {
    const row = [y];
    for (let x = 1; x <= other.length; x += 1) {
      const [above = [], last = []] = [rows[y - 1], rows[y - 2]];
      const differs = one[y - 1] === other[x - 1] ? 0 : 1;
      const swapped = one[y - 1] === other[x - 2] && one[y - 2] === other[x - 1] ? (last[x - 2] ?? 9) + 1 : 99;
      row.push(Math.min((above[x] ?? 9) + 1, (row[x - 1] ?? 9) + 1, (above[x - 1] ?? 9) + differs, swapped));
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 99;
}

/** The closest known word, to suggest for a typing error. */
export function nearest(typed: string, known: string[]): string | undefined {
  const near = known.map((name) => ({ name, far: distance(typed.toLowerCase(), name) }));
  const [best] = near.toSorted((one, other) => one.far - other.far);
  return best && best.far <= Math.ceil(typed.length / 3) ? best.name : undefined;
}

function didYouMean(typed: string, known: string[], prefix = ""): string {
  const meant = nearest(typed, known);
  return meant === undefined ? "" : ` Did you mean "${prefix}${meant}"?`;
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

class Wrong extends Error {}

function readValue(name: string, { kind, choices }: OptionSpec, raw: string | undefined): string | number | boolean {
  if (kind === "flag") {
    if (raw !== undefined) throw new Wrong(`--${name} takes no value`);
    return true;
  }
  if (raw === undefined || raw === "") throw new Wrong(`--${name} needs a value`);
  if (choices && !choices.includes(raw))
    throw new Wrong(`--${name} takes ${choices.join(", ")}, not "${raw}".${didYouMean(raw, [...choices])}`);
  if (kind === "day" && !isDay(raw)) throw new Wrong(`--${name} takes a day such as 2026-07-31, not "${raw}"`);
  if (kind === "number" && !/^\d{1,9}$/.test(raw)) throw new Wrong(`--${name} takes a number, not "${raw}"`);
  return kind === "number" ? Number(raw) : raw;
}

type Split = { words: string[]; options: Record<string, string | number | boolean> };

/** Separates words from options; options may appear anywhere, and `--` ends them. */
function split(typed: string[], specs: Options): Split {
  const words: string[] = [];
  const options: Split["options"] = {};
  for (let at = 0; at < typed.length; at += 1) {
    const part = typed[at] ?? "";
    if (part === "--") return { words: [...words, ...typed.slice(at + 1)], options };
    if (!/^-./.test(part)) {
      words.push(part);
      continue;
    }
    const [, long, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(part) ?? [];
    const name = long ?? SHORT[part.slice(1)] ?? part.slice(1);
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined)
      throw new Wrong(`There is no option "${part}" here.${didYouMean(name, Object.keys(specs), "--")}`);
    const next = spec.kind === "flag" || inline !== undefined ? inline : typed[++at];
    options[name] = readValue(name, spec, next);
  }
  return { words, options };
}

function checkCount(commands: AnyCommand[], { name, arguments: wanted }: AnyCommand, words: string[]): void {
  const needed = wanted.filter(({ optional }) => !optional);
  const missing = needed[words.length];
  if (missing) throw new Wrong(`"${name}" needs <${missing.name}>: ${missing.says}`);
  const extra = words[wanted.length];
  const isGroup = commands.some((other) => other.name.startsWith(`${name} `));
  if (extra !== undefined && isGroup && wanted.length === 0) throw new Wrong(unknown(commands, [name, extra]));
  if (extra !== undefined && !wanted.at(-1)?.many) throw new Wrong(`"${name}" does not take "${extra}"`);
}

function unknown(commands: AnyCommand[], words: string[]): string {
  const [first = "", second = ""] = words;
  const groups = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];
  if (!groups.includes(first)) return `There is no command "${first}".${didYouMean(first, groups)}`;
  const inside = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []));
  return second === ""
    ? `"${first}" needs one of: ${inside.join(", ")}`
    : `There is no command "${first} ${second}".${didYouMean(second, inside, `${first} `) || searchFor(commands, first, second)}`;
}

/** A name after a list command is most likely meant as a search. */
function searchFor(commands: AnyCommand[], list: string, wanted: string): string {
  const canSearch = commands.some(({ name, options }) => name === list && "search" in options);
  return canSearch ? ` To look for it: ${list} --search ${wanted}.` : "";
}

/** Stops at the first option of a command, whose value must not be taken for a word; global options may appear anywhere. */
function leadingWords(typed: string[]): string[] {
  const own = typed.filter((part) => !EVERYWHERE.includes(part));
  const end = own.findIndex((part) => part.startsWith("-"));
  return end === -1 ? own : own.slice(0, end);
}

/** Parses the arguments without side effects. */
export function parse(commands: AnyCommand[], typed: string[]): Parsed {
  const has = (name: string) => typed.slice(0, [...typed, "--"].indexOf("--")).includes(name);
  const global = { json: has("--json"), yes: has("--yes") || has("-y"), quiet: has("--quiet") || has("-q") };
  const wordsOnly = leadingWords(typed);
  const command = findCommand(commands, wordsOnly);
  const isGroup = commands.some(({ name }) => name.split(" ")[0] === wordsOnly[0]);
  const topic = command ? command.name.split(" ") : isGroup ? wordsOnly.slice(0, 1) : [];
  try {
    if (wordsOnly[0] === "help") return { kind: "help", topic: wordsOnly.slice(1), global };
    if (typed.length === 0 || has("--help") || has("-h"))
      return { kind: "help", topic: command ? topic : wordsOnly, global };
    if (has("--version")) return parse(commands, ["version", ...typed.filter((part) => part !== "--version")]);
    if (command === undefined)
      throw new Wrong(wordsOnly.length === 0 ? "A command is missing" : unknown(commands, wordsOnly));
    const { words, options } = split(typed, { ...GLOBAL, ...command.options });
    const rest = words.slice(command.name.split(" ").length);
    checkCount(commands, command, rest);
    const given: Given = {
      arguments: rest,
      // Each value has been parsed according to its option's kind.
      options: Object.fromEntries(
        Object.entries(command.options as Options).map(([name, { kind }]) => [
          name,
          options[name] ?? (kind === "flag" ? false : undefined),
        ]),
      ) as Given["options"],
    };
    const refused = command.refuses?.(given);
    if (refused !== undefined) throw new Wrong(refused);
    return { kind: "run", command, given, global };
  } catch (error) {
    if (error instanceof Wrong) return { kind: "wrong", says: error.message, topic, global };
    throw error;
  }
}
