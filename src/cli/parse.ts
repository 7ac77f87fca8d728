import { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";
import { PRODUCT, VERSION } from "../shared/product.ts";
import type { AnyCommand, Given, GlobalOptions, OptionSpec, Options } from "./command.ts";
import { painter, type Terminal } from "./terminal.ts";

export const PROGRAM = "breachbell";

const EVERYWHERE = "Everywhere:";
const GLOBAL = [
  new Option("--json", "the answer as one JSON document, for programs").helpGroup(EVERYWHERE),
  new Option("-y, --yes", "do it without asking").helpGroup(EVERYWHERE),
  new Option("-q, --quiet", "say nothing unless something is wrong").helpGroup(EVERYWHERE),
];
const CLOSING = `
More on one: ${PROGRAM} help users lock
Exit codes: 0 done · 1 failed · 2 wrongly typed · 3 out of reach · 130 cancelled`;

export type Parsed =
  | { kind: "run"; command: AnyCommand; given: Given; global: GlobalOptions }
  /** The help or the version that was asked for. */
  | { kind: "help"; text: string }
  /** `topic`: the name of the command that was meant, as far as it is known. */
  | { kind: "wrong"; says: string; topic: string; global: GlobalOptions };

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

const READERS: Record<Exclude<OptionSpec["kind"], "flag">, { fits(raw: string): boolean; says: string }> = {
  text: { fits: (raw) => raw !== "", says: "It is empty." },
  number: { fits: (raw) => /^\d{1,9}$/.test(raw), says: "It takes a number." },
  day: { fits: isDay, says: "It takes a day such as 2026-07-31." },
};

function optionOf(name: string, spec: OptionSpec): Option {
  if (spec.kind === "flag") return new Option(`--${name}`, spec.says);
  const { kind, value, says, choices } = spec;
  const option = new Option(`--${name} <${value}>`, says);
  if (choices) return option.choices(choices);
  return option.argParser((raw: string) => {
    if (!READERS[kind].fits(raw)) throw new InvalidArgumentError(READERS[kind].says);
    return kind === "number" ? Number(raw) : raw;
  });
}

/** A command with everything below it. */
const allOf = (node: Command): Command[] => [node, ...node.commands.flatMap(allOf)];
/** As typed after the program, such as `users lock`. */
export const nameOf = (node: Command): string =>
  node.parent ? `${nameOf(node.parent)} ${node.name()}`.trimStart() : "";
const childOf = (node: Command, word: string) => node.commands.find((child) => child.name() === word);
/** The command of this name, which is added if there is none. */
const nodeOf = (program: Command, name: string) =>
  name.split(" ").reduce((node, word) => childOf(node, word) ?? node.command(word), program);

/** The commands as Commander's tree, without actions. */
export function programOf(commands: AnyCommand[]): Command {
  const paint = painter({ colours: true });
  const program = new Command(PROGRAM)
    .description(`${PRODUCT} ${VERSION}, the operator's command line`)
    .version(`${PRODUCT} ${VERSION}`, "--version", "show the version")
    .addHelpOption(new Option("-h, --help", "explain the command").helpGroup(EVERYWHERE))
    .addHelpText("after", CLOSING)
    .enablePositionalOptions()
    .configureHelp({
      minWidthToWrap: 20,
      styleTitle: (title) => paint(title, "bold"),
      subcommandTerm: (node) => nameOf(node) + node.usage().replace(/^\[options\]( \[command\])?/, ""),
      // Help lists the commands of all levels. This is set here only, as Commander takes its suggestions from the same list.
      formatHelp: (shown, helper) => {
        const visibleCommands = () => allOf(shown).filter((node) => node !== shown && node.summary() !== "");
        return new Help().formatHelp(shown, Object.assign(helper, { visibleCommands }));
      },
    });
  for (const { name, group = "", says, more, arguments: wanted, options, examples, changes } of commands) {
    const node = nodeOf(program, name)
      .helpGroup(group)
      .summary(says)
      .description(more === undefined ? says : `${says}\n\n${more}`)
      .addHelpText(
        "after",
        `\n${paint("For example:", "bold")}\n${examples.map((one) => `  ${PROGRAM} ${one}`).join("\n")}`,
      );
    if (changes) node.addHelpText("after", "\nIt is written into the audit log.");
    for (const { name: word, says: what, optional, many, choices } of wanted) {
      const shown = `${word}${many ? "..." : ""}`;
      const argument = new Argument(optional ? `[${shown}]` : `<${shown}>`, what);
      node.addArgument(choices ? argument.choices(choices) : argument);
    }
    for (const [word, spec] of Object.entries(options as Options)) node.addOption(optionOf(word, spec));
  }
  for (const node of allOf(program)) for (const option of GLOBAL) node.addOption(option);
  return program;
}

/** Parses the arguments without side effects; help is laid out for `columns`, or for 80. */
export function parse(
  commands: AnyCommand[],
  typed: string[],
  { colours, columns }: Pick<Terminal, "colours" | "columns"> = { colours: false, columns: undefined },
): Parsed {
  const program = programOf(commands);
  const seen: { at: Command; printed: string; parsed?: Parsed } = { at: program, printed: "" };
  for (const node of allOf(program))
    node
      .configureOutput({
        writeOut: (text) => {
          seen.printed += text;
        },
        writeErr: () => {},
        getOutHelpWidth: () => columns ?? 80,
        getOutHasColors: () => colours,
      })
      .exitOverride((error) => {
        seen.at = node;
        throw error;
      });
  for (const command of commands) {
    const node = nodeOf(program, command.name);
    node.action(() => {
      if (command.name === "help") explain(program, node.args);
      seen.parsed = runOf(command, node);
    });
  }
  try {
    program.parse(typed.length === 0 ? ["--help"] : typed, { from: "user" });
    // Whatever does not throw has come to an action.
    return seen.parsed as Parsed;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const { at, printed } = seen;
    if (printed !== "") return { kind: "help", text: printed.trimEnd() };
    return wrong(commands, typed, at, error);
  }
}

/** Prints the help on a command, for an unknown word that of its group. */
function explain(program: Command, topic: string[]): void {
  const node = topic.reduce((at, word) => childOf(at, word) ?? at, program);
  // Throws for the unknown command, with a suggestion.
  if (node === program && topic.length > 0) program.parse(topic, { from: "user" });
  node.help();
}

function runOf(command: AnyCommand, node: Command): Parsed {
  const { json = false, yes = false, quiet = false, ...values } = node.optsWithGlobals();
  const own = node.options.filter((option) => option.name() in command.options);
  // In `users --search ada lock bob`, the option belongs to the list.
  const foreign = Object.keys(values).find((key) => own.every((option) => option.attributeName() !== key));
  if (foreign !== undefined) node.error(`error: unknown option '--${foreign}'`);
  const taken = (option: Option) => values[option.attributeName()] ?? (option.isBoolean() ? false : undefined);
  const options = Object.fromEntries(own.map((option) => [option.name(), taken(option)]));
  const given: Given = { arguments: node.args, options };
  const refused = command.refuses?.(given);
  if (refused !== undefined) node.error(refused);
  return { kind: "run", command, given, global: { json, yes, quiet } };
}

function wrong(commands: AnyCommand[], typed: string[], at: Command, { code, message }: CommanderError): Parsed {
  const topic = nameOf(at);
  if (code === "commander.excessArguments" && at.commands.length > 0 && at.registeredArguments.length === 0) {
    // `users lok` or `users ada`: if the list itself is no command, Commander takes the word for one and suggests another.
    const parsed = parse(
      commands.filter(({ name }) => name !== topic),
      typed,
    );
    if (parsed.kind !== "wrong" || !at.options.some(({ long }) => long === "--search")) return parsed;
    return { ...parsed, says: `${parsed.says}. To look for it: ${topic} --search ${at.args[0]}` };
  }
  const sentence = message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase()).replaceAll("\n", " ");
  const says =
    code === "commander.help" ? `A command is missing: ${at.commands.map((one) => one.name()).join(", ")}` : sentence;
  return { kind: "wrong", says, topic, global: { json: typed.includes("--json"), yes: false, quiet: false } };
}
