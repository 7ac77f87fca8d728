import { describe, expect, test } from "bun:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { helpOn, noSuchTopic } from "../../src/cli/help_text.ts";
import { nearest, parse } from "../../src/cli/parse.ts";

const PLAIN = { colours: false, columns: undefined };

/** Splits as a shell would. */
function words(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "");
}

function run(line: string) {
  const parsed = parse(COMMANDS, words(line));
  if (parsed.kind !== "run") throw new Error(`Expected a command: ${JSON.stringify(parsed)}`);
  return parsed;
}
function wrong(line: string): string {
  const parsed = parse(COMMANDS, words(line));
  return parsed.kind === "wrong" ? parsed.says : `not wrong: ${parsed.kind}`;
}

describe("every command", () => {
  test.each(COMMANDS.map((one) => [one.name, one] as const))(
    "%s is documented, with examples that parse to it",
    (name, one) => {
      const help = helpOn(COMMANDS, name.split(" "), PLAIN) ?? "";
      for (const example of one.examples) {
        expect(help).toContain(example);
        if (name !== "help") expect(run(example).command.name).toBe(name);
      }
      for (const option of Object.keys(one.options)) expect(help).toContain(`--${option}`);
      expect(one.says).not.toMatch(/\.$/);
      expect(helpOn(COMMANDS, [], PLAIN)).toContain(one.says);
    },
  );

  test("has a unique name, and says so if it changes something", () => {
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
    const changing = COMMANDS.filter(({ changes }) => changes).map(({ name }) => name);
    expect(changing).toContain("users delete");
    expect(changing).not.toContain("users");
  });

  test("fits a narrow terminal with its help", () => {
    for (const { name } of COMMANDS) {
      const lines = (helpOn(COMMANDS, name.split(" "), { colours: false, columns: 60 }) ?? "").split("\n");
      const tooLong = lines.filter((line) => line.length > 60 && !line.startsWith("  breachbell"));
      expect([name, tooLong]).toEqual([name, []]);
    }
  });
});

describe("parse()", () => {
  test("accepts options anywhere, with = or a space, and -- ends them", () => {
    expect(run("users --search ada --limit=5").given.options).toMatchObject({ search: "ada", limit: 5 });
    expect(run("users lock ada@example.com --reason=because").given).toMatchObject({
      arguments: ["ada@example.com"],
      options: { reason: "because", "even-last": false },
    });
    expect(run("--json users show -- --odd--").given.arguments).toEqual(["--odd--"]);
    expect(run("deliveries resend a b c").given.arguments).toEqual(["a", "b", "c"]);
    expect(parse(COMMANDS, ["users", "delete", "a@example.com", "-y", "--json", "-q"])).toMatchObject({
      kind: "run",
      global: { json: true, yes: true, quiet: true },
    });
  });

  test.each([
    ["nonsense", 'There is no command "nonsense".'],
    ["docter", 'Did you mean "doctor"?'],
    ["users lok ada@example.com", 'Did you mean "users lock"?'],
    ["mantenance on", 'Did you mean "maintenance"?'],
    ["catalogue", '"catalogue" needs one of: sync, changes'],
    ["users lock", '"users lock" needs <account>: its email address or its id'],
    ["users lock a b", '"users lock" does not take "b"'],
    ["users --sarch ada", 'Did you mean "--search"?'],
    ["users --limit many", '--limit takes a number, not "many"'],
    ["users ada", 'There is no command "users ada". To look for it: users --search ada.'],
    ["users --limit", "--limit needs a value"],
    ["users --state lockt", 'Did you mean "locked"?'],
    ["doctor --json=yes", "--json takes no value"],
    ["import x --date 2026-02-30", "--date takes a day such as 2026-07-31"],
    ["users grant a@example.com gold", 'There is no plan "gold"'],
    ["users lock a@example.com --reason x", "--reason takes 3 to 500 characters"],
    ["users staff a@example.com perhaps", "It takes on or off"],
    ["maintenance on --until tomorrow", "--until takes 30m, 2h or a moment"],
    ["maintenance on --until 2026-07-31T12:00", "--until takes 30m, 2h or a moment"],
    ["deliveries resend", "Name the messages, or say --dead for all"],
    ["deliveries hold a --all", "Name the messages, or say --all"],
    ["deliveries release", "Name the messages, or a --reason"],
    ["deliveries release --reason quiet", "--reason takes misconfigured"],
    ["catalogue changes --since yesterday", "--since takes a day"],
    ["--colour", "A command is missing"],
  ])("rejects %s", (line, says) => {
    expect(wrong(line)).toContain(says);
  });

  test("shows help without arguments, for --help and for help", () => {
    expect(parse(COMMANDS, [])).toMatchObject({ kind: "help", topic: [] });
    expect(parse(COMMANDS, ["users", "lock", "--help"])).toMatchObject({ kind: "help", topic: ["users", "lock"] });
    expect(parse(COMMANDS, ["help", "users"])).toMatchObject({ kind: "help", topic: ["users"] });
    expect(helpOn(COMMANDS, ["users"], PLAIN)).toContain("users revoke-grant <account>");
    expect(helpOn(COMMANDS, ["usres"], PLAIN)).toBeUndefined();
    expect(noSuchTopic(COMMANDS, ["usres"])).toContain('Did you mean "users"?');
    expect(run("--version").command.name).toBe("version");
  });

  test("nearest() is tolerant for long words and returns nothing for distant ones", () => {
    expect(nearest("delivreies", ["deliveries", "doctor"])).toBe("deliveries");
    expect(nearest("xyz", ["deliveries", "doctor"])).toBeUndefined();
  });
});
