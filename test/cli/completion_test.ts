import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { completionOf, followers } from "../../src/cli/completion.ts";
import { programOf } from "../../src/cli/parse.ts";
import { lacks } from "../support/tools.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function scriptFor(shell: string): Promise<string> {
  const answer = await completionOf(() => COMMANDS).run({} as never, { arguments: [shell], options: {} } as never);
  return (answer.data as { script: string }).script;
}

/** The script of a shell as a file, beside which there is one file to complete. */
async function folderFor(shell: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "breachbell-completion-"));
  folders.push(folder);
  writeFileSync(join(folder, "script"), await scriptFor(shell));
  return folder;
}

function run(command: string[], cwd: string): string {
  const { stdout, stderr } = Bun.spawnSync(command, {
    cwd,
    timeout: 20_000,
    env: { PATH: process.env.PATH, HOME: cwd },
  });
  expect(stderr.toString()).toBe("");
  return stdout.toString();
}

/** zsh completes only at a prompt: types each line into one, and prints between brackets what it offers at the key. */
const AT_A_PROMPT = `
zmodload zsh/zpty
zpty prompt zsh -f -i
zpty -w prompt 'PS1=; autoload -Uz compinit; compinit -u -D; . ./script
  compadd() { local -a found; builtin compadd -A found "$@"; offered+=("\${found[@]}"); builtin compadd "$@" }
  press() { offered=(); zle complete-word; print -r -- "<<\${offered[*]}>>"; BUFFER= }
  zle -N press; bindkey "^I" press; print REA""DY'
zpty -r prompt said '*READY*'
for line; do
  zpty -w -n prompt "$line"$'\\t'
  zpty -r prompt said '*>>*'
  print -r -- "$said"
done
zpty -d prompt`;

/** What each shell prints for lines whose last words are being typed, one after another. */
const PRINTED: Record<"bash" | "zsh" | "fish", (lines: string[], folder: string) => string[]> = {
  bash(lines, folder) {
    const asked = lines.map((line) => {
      const words = line.split(" ");
      const typed = words.map((word) => `'${word}'`).join(" ");
      return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _breachbell; echo "\${COMPREPLY[@]}"`;
    });
    return run(["bash", "--norc", "-c", `. ./script; ${asked.join("; ")}`], folder).split("\n");
  },
  zsh: (lines, folder) =>
    [...run(["zsh", "-f", "-c", AT_A_PROMPT, "zsh", ...lines], folder).matchAll(/<<(.*?)>>/gs)].map(
      ([, said = ""]) => said,
    ),
  fish: (lines, folder) =>
    lines.map((line) => run(["fish", "--no-config", "-c", `source ./script; complete -C '${line}'`], folder)),
};

describe.each(["bash", "zsh", "fish"] as const)("completion in %s", (shell) => {
  const isMissing = shell !== "bash" && lacks(shell);

  async function check(expected: Record<string, string[]>): Promise<void> {
    const lines = Object.keys(expected);
    const printed = PRINTED[shell](
      lines.map((line) => `breachbell ${line}`),
      await folderFor(shell),
    );
    const wordsOf = (text = "") => [...new Set(text.split(/\s+/))].filter((word) => word !== "").toSorted();
    expect(Object.fromEntries(lines.map((line, at) => [line, wordsOf(printed[at])]))).toEqual(expected);
  }

  test.skipIf(isMissing)("offers the first words of all commands, and what follows them", async () => {
    await check({
      "": [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0] ?? ""))].toSorted(),
      us: ["users"],
      "users res": ["reset-factors", "reset-password"],
      "backup v": ["verify"],
    });
  });

  test.skipIf(isMissing)("offers the options of a complete command, whatever stands before and after it", async () => {
    await check({
      "restore --re": ["--replace"],
      "--json backup verify --i": ["--identity"],
      "users lock ada@example.com --y": ["--yes"],
      "backup verify safe.backup --i": ["--identity"],
      "--vers": ["--version"],
      "backup --ident": [],
      "nonsense --": [],
    });
  });

  test.skipIf(isMissing)("offers files where a command takes one", async () => {
    // In bash, "-o default" offers them once this offers nothing.
    await check({ "restore s": shell === "bash" ? [] : ["script"] });
  });
});

test("completion knows every command, in each shell", async () => {
  const known = new Map(followers(programOf(COMMANDS)).map(({ name, words }) => [name, words]));
  for (const { name } of COMMANDS) {
    const parts = name.split(" ");
    expect(known.get(parts.slice(0, -1).join(" "))).toContain(parts.at(-1) ?? "");
  }
  expect(await scriptFor("zsh")).toStartWith("autoload -U +X bashcompinit");
});
