import { done, text } from "./answer.ts";
import { type AnyCommand, command } from "./command.ts";
import { PROGRAM } from "./help_text.ts";
import { GLOBAL } from "./parse.ts";

const SHELLS = ["bash", "zsh", "fish"];

/** What may follow which words: the next words of commands, and the options of a complete one. */
export function followers(commands: AnyCommand[]): Map<string, string[]> {
  const next = new Map<string, Set<string>>();
  const add = (before: string, word: string) => next.set(before, (next.get(before) ?? new Set()).add(word));
  for (const { name, options } of commands) {
    const words = name.split(" ");
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(" "), word);
    for (const option of [...Object.keys(options), ...Object.keys(GLOBAL)]) add(name, `--${option}`);
  }
  return new Map([...next].map(([before, words]) => [before, [...words].toSorted()]));
}

/** Options may be interleaved, so the words before the cursor count without them and without what follows the command. */
function bash(commands: AnyCommand[]): string {
  const cases = [...followers(commands)].map(([before, words]) => `    "${before}") list="${words.join(" ")}" ;;`);
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
  const lines = [...followers(commands)].map(
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
    arguments: [{ name: "shell", says: SHELLS.join(", ") }],
    examples: ["completion bash"],
    room: "none",
    refuses: ({ arguments: [shell = ""] }) =>
      SHELLS.includes(shell) ? undefined : `It is one of ${SHELLS.join(", ")}`,
    async run(_, { arguments: [shell = ""] }) {
      const script = shell === "fish" ? fish(commands()) : bash(commands());
      const whole = shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
      return done({ script: whole }, text(whole));
    },
  });
