import type { Command } from "commander";
import { done, text } from "./answer.ts";
import { type AnyCommand, command } from "./command.ts";
import { nameOf, PROGRAM, programOf } from "./parse.ts";

const SHELLS = ["bash", "zsh", "fish"];

/** What may follow which words: the names of commands, and options. */
export function followers(node: Command): [before: string, words: string[]][] {
  const words = [...node.commands.map((one) => one.name()), ...node.options.map(({ long }) => long ?? ""), "--help"];
  return [[nameOf(node), words.toSorted()], ...node.commands.flatMap(followers)];
}

/** Options may be interleaved, so the words before the cursor count without them and without what follows the command. */
function bash(commands: AnyCommand[]): string {
  const cases = followers(programOf(commands)).map(
    ([before, words]) => `    "${before}") list="${words.join(" ")}" ;;`,
  );
  return `_${PROGRAM}() {
  local typed="" list="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) typed="\${typed:+$typed }$word" ;; esac
  done
  case "$typed" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${PROGRAM} ${PROGRAM}`;
}

function fish(commands: AnyCommand[]): string {
  const lines = followers(programOf(commands)).map(
    ([before, words]) =>
      `complete -c ${PROGRAM} -n 'test (string join " " -- (commandline -opc)[2..-1]) = "${before}"' -f -a "${words.join(" ")}"`,
  );
  return lines.join("\n");
}

export const completionOf = (commands: () => AnyCommand[]) =>
  command({
    name: "completion",
    says: "Print a script with which a shell completes commands and options",
    more: `For bash: eval "$(${PROGRAM} completion bash)" in ~/.bashrc. In a checkout, define ${PROGRAM}() { bun run --silent ${PROGRAM} "$@"; } as well.`,
    arguments: [{ name: "shell", says: "which shell", choices: SHELLS }],
    examples: ["completion bash"],
    room: "none",
    async run(_, { arguments: [shell = ""] }) {
      const script = shell === "fish" ? fish(commands()) : bash(commands());
      const whole = shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
      return done({ script: whole }, text(whole));
    },
  });
