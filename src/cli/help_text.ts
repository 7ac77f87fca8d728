import { PRODUCT, VERSION } from "../shared/product.ts";
import type { AnyCommand, ArgumentSpec, Options } from "./command.ts";
import { findCommand, GLOBAL, nearest } from "./parse.ts";
import { painter, type Terminal, wrapped } from "./terminal.ts";

export const PROGRAM = "breachbell";

/** The groups of commands, in the order of the output. */
const GROUPS: [title: string, names: string[]][] = [
  ["Look", ["doctor", "config", "version", "help", "completion"]],
  ["People", ["users"]],
  ["Breaches", ["scan", "catalogue", "import"]],
  ["Messages", ["deliveries", "channels"]],
  ["Running it", ["maintenance", "migrate", "backup", "restore", "restored"]],
];

const EXIT_CODES = "Exit codes: 0 done · 1 failed · 2 wrongly typed · 3 out of reach · 130 cancelled";

type Look = Pick<Terminal, "colours" | "columns">;

const shownArgument = ({ name, optional, many }: ArgumentSpec) =>
  optional ? `[${name}${many ? " …" : ""}]` : `<${name}>${many ? " …" : ""}`;

/** The usage line: `users lock <address>`. */
export function usageOf({ name, arguments: wanted, options }: AnyCommand): string {
  const some = Object.keys(options).length > 0 ? " [options]" : "";
  return [name, ...wanted.map(shownArgument)].join(" ") + some;
}

function pairs(list: [string, string][], { colours, columns }: Look): string[] {
  const paint = painter({ colours });
  const widest = Math.max(0, ...list.map(([left]) => left.length)) + 4;
  return list.flatMap(([left, right]) => {
    const lines = wrapped(right, columns, " ".repeat(widest));
    return lines.map(
      (line, at) =>
        `${at === 0 ? `  ${paint(left, "bold")}`.padEnd(widest + paint(left, "bold").length - left.length) : " ".repeat(widest)}${line}`,
    );
  });
}

function optionPairs(options: Options): [string, string][] {
  return Object.entries(options).map(([name, { kind, value, says, choices }]) => {
    const taken = kind === "flag" ? "" : ` <${value ?? (kind === "day" ? "YYYY-MM-DD" : kind)}>`;
    return [`--${name}${taken}`, choices ? `${says}: ${choices.join(", ")}` : says];
  });
}

function overview(commands: AnyCommand[], look: Look): string[] {
  const paint = painter(look);
  const sections = GROUPS.flatMap(([title, groups]) => {
    const inside = groups.flatMap((group) => commands.filter(({ name }) => name.split(" ")[0] === group));
    const list = inside.map((one): [string, string] => [
      [one.name, ...one.arguments.map(shownArgument)].join(" "),
      one.says,
    ]);
    return list.length === 0 ? [] : ["", paint(title, "bold"), ...pairs(list, look)];
  });
  return [
    `${PRODUCT} ${VERSION}, the operator's command line`,
    "",
    `  ${PROGRAM} <command> [options]`,
    ...sections,
    "",
    paint("Everywhere", "bold"),
    ...pairs(optionPairs(GLOBAL), look),
    "",
    ...wrapped(
      `More on one: ${PROGRAM} help users lock. Commands work the same while the server runs and while it does not.`,
      look.columns,
    ),
    ...wrapped(EXIT_CODES, look.columns),
  ];
}

function ofOne(one: AnyCommand, look: Look): string[] {
  const paint = painter(look);
  const section = (title: string, lines: string[]) => (lines.length === 0 ? [] : ["", paint(title, "bold"), ...lines]);
  return [
    ...wrapped(one.says, look.columns),
    "",
    `  ${PROGRAM} ${usageOf(one)}`,
    ...(one.more === undefined ? [] : ["", ...one.more.split("\n").flatMap((line) => wrapped(line, look.columns))]),
    ...section(
      "What it needs",
      pairs(
        one.arguments.map((of): [string, string] => [of.name, of.says]),
        look,
      ),
    ),
    ...section("Options", pairs(optionPairs(one.options), look)),
    ...section(
      "For example",
      one.examples.map((example) => `  ${PROGRAM} ${example}`),
    ),
    ...(one.changes ? ["", paint("It is written into the audit log.", "dim")] : []),
  ];
}

/** Help on a command or group; undefined when there is none of that name. */
export function helpOn(commands: AnyCommand[], topic: string[], look: Look): string | undefined {
  if (topic.length === 0) return overview(commands, look).join("\n");
  const group = commands.filter(({ name }) => name.split(" ")[0] === topic[0]);
  const one = findCommand(commands, topic);
  if (one !== undefined && one.name.split(" ").length < topic.length) return undefined;
  const others = group.filter((other) => other !== one);
  const list = others.map((each): [string, string] => [
    [each.name, ...each.arguments.map(shownArgument)].join(" "),
    each.says,
  ]);
  const also = ["", painter(look)("Also", "bold"), ...pairs(list, look)];
  if (one !== undefined)
    return [...ofOne(one, look), ...(topic.length > 1 || list.length === 0 ? [] : also)].join("\n");
  if (topic.length > 1 || group.length === 0) return undefined;
  const examples = group.map(({ examples: [first] }) => `  ${PROGRAM} ${first}`);
  return [...pairs(list, look), "", painter(look)("For example", "bold"), ...examples].join("\n");
}

/** The message for an unknown topic. */
export function noSuchTopic(commands: AnyCommand[], topic: string[]): string {
  const names = commands.flatMap(({ name }) => [name, name.split(" ")[0] ?? ""]);
  const meant = nearest(topic.join(" "), [...new Set(names)]);
  return `There is no command "${topic.join(" ")}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`;
}
