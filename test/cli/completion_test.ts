import { describe, expect, test } from "bun:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { completionOf, followers } from "../../src/cli/completion.ts";
import { programOf } from "../../src/cli/parse.ts";

async function scriptFor(shell: string): Promise<string> {
  const answer = await completionOf(() => COMMANDS).run({} as never, { arguments: [shell], options: {} } as never);
  return (answer.data as { script: string }).script;
}

/** What bash offers for these words, of which the last is being typed. */
async function offered(...typed: string[]): Promise<string[]> {
  const words = ["breachbell", ...typed].map((word) => `'${word}'`).join(" ");
  const script = `${await scriptFor("bash")}
COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _breachbell; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = Bun.spawnSync(["bash", "--norc", "-c", script]);
  expect(stderr.toString()).toBe("");
  return stdout.toString().trim().split("\n");
}

describe("completion", () => {
  test("offers the first words of all commands, and what follows them", async () => {
    expect(await offered("")).toEqual(expect.arrayContaining(["backup", "doctor", "users", "completion"]));
    expect(await offered("us")).toEqual(["users"]);
    expect(await offered("users", "res")).toEqual(["reset-factors", "reset-password"]);
    expect(await offered("backup", "v")).toEqual(["verify"]);
  });

  test("offers the options of a complete command, whatever options come before", async () => {
    expect(await offered("restore", "--re")).toEqual(["--replace"]);
    expect(await offered("--json", "backup", "verify", "--i")).toEqual(["--identity"]);
    expect(await offered("nonsense", "--")).toEqual([""]);
  });

  test("knows every command, in each shell", async () => {
    const known = new Map(followers(programOf(COMMANDS)));
    for (const { name } of COMMANDS) {
      const words = name.split(" ");
      expect(known.get(words.slice(0, -1).join(" "))).toContain(words.at(-1) ?? "");
    }
    expect(await scriptFor("zsh")).toStartWith("autoload -U +X bashcompinit");
    expect((await scriptFor("fish")).split("\n")).toHaveLength(known.size);
  });
});
