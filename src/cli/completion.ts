import type { Command } from "commander";
import { done, text } from "./answer.ts";
import { type AnyCommand, command } from "./command.ts";
import { nameOf, PROGRAM, programOf } from "./parse.ts";

const SHELLS = ["bash", "zsh", "fish"];

type Follower = { name: string; words: string[]; options: string[] };

/** What may follow each command, and the program itself, whose name is empty: names of commands, and options. Longest names first. */
export function followers(program: Command): Follower[] {
  const below = (node: Command): Follower[] => [
    ...node.commands.flatMap(below),
    {
      name: nameOf(node),
      words: node.commands.map((one) => one.name()).toSorted(),
      options: [...node.options.map(({ long }) => long ?? ""), "--help"].toSorted(),
    },
  ];
  return below(program);
}

/** For bash, and for zsh in its emulation of bash. Options may stand anywhere, so they do not count as words before the cursor. */
function bash(commands: AnyCommand[]): string {
  const all = followers(programOf(commands));
  const afterWords = all
    .filter(({ words }) => words.length > 0)
    .map(({ name, words }) => `      "${name}") list="${words.join(" ")}" ;;`);
  const ofCommands = all.map(({ name, options }) => `      "${name} "*) list="${options.join(" ")}" ;;`);
  return `_${PROGRAM}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="" list="" word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$word" in -*) ;; *) typed="\${typed:+$typed }$word" ;; esac
  done
  case "$current" in
    -*) case "$typed " in
${ofCommands.join("\n")}
    esac ;;
    *) case "$typed" in
${afterWords.join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$list" -- "$current"))
}
complete -o default -F _${PROGRAM} ${PROGRAM}`;
}

function fish(commands: AnyCommand[]): string {
  const all = followers(programOf(commands));
  const cases = (list: [string, string[]][]) =>
    list.map(([pattern, next]) => `        case '${pattern}'\n          printf '%s\\n' ${next.join(" ")}`).join("\n");
  return `function __${PROGRAM}_list
  set -l typed (string match --invert -- '-*' (commandline -opc)[2..-1])
  switch (commandline -ct)
    case '-*'
      switch "$typed "
${cases(all.map(({ name, options }) => [`${name} *`, options]))}
      end
    case '*'
      switch "$typed"
${cases(all.filter(({ words }) => words.length > 0).map(({ name, words }) => [name, words]))}
      end
  end
end
complete -c ${PROGRAM} -n 'count (__${PROGRAM}_list) >/dev/null' -f -a '(__${PROGRAM}_list)'`;
}

export const completionOf = (commands: () => AnyCommand[]) =>
  command({
    name: "completion",
    says: "Print a script with which a shell completes commands and options",
    more: `For bash: eval "$(${PROGRAM} completion bash)" in ~/.bashrc. For zsh the same with zsh in ~/.zshrc, after compinit. For fish: ${PROGRAM} completion fish | source in ~/.config/fish/config.fish. In a checkout, define ${PROGRAM}() { bun run --silent ${PROGRAM} "$@"; } as well.`,
    arguments: [{ name: "shell", says: "which shell", choices: SHELLS }],
    examples: ["completion bash"],
    room: "none",
    async run(_, { arguments: [shell = ""] }) {
      const script = shell === "fish" ? fish(commands()) : bash(commands());
      const whole = shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
      return done({ script: whole }, text(whole));
    },
  });
