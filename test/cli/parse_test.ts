import { describe, expect, spyOn, test } from "bun:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { parse } from "../../src/cli/parse.ts";
import { PRODUCT, VERSION } from "../../src/shared/product.ts";

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

function help(line: string, columns?: number, colours = false): string {
  const parsed = parse(COMMANDS, words(line), { colours, columns });
  return parsed.kind === "help" ? parsed.text : `no help: ${parsed.kind}`;
}

describe("every command", () => {
  test.each(COMMANDS.map((one) => [one.name, one] as const))(
    "%s is documented, with examples that parse to it",
    (name, one) => {
      const shown = help(`help ${name}`);
      for (const example of one.examples) {
        expect(shown).toContain(`  breachbell ${example}\n`.trimEnd());
        if (name !== "help") expect(run(example).command.name).toBe(name);
      }
      for (const option of Object.keys(one.options)) expect(shown).toContain(`--${option}`);
      expect(one.says).not.toMatch(/\.$/);
      expect(help("help", 200)).toContain(one.says);
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
      const lines = help(`${name} --help`, 60).split("\n");
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

  test("leaves each option to its own command", () => {
    expect(run("deliveries queue --page 2").given.options).toMatchObject({ page: 2 });
    expect(wrong("deliveries queue --account ada@example.com")).toContain("Unknown option '--account'");
    expect(wrong("deliveries --account ada@example.com queue")).toBe("Unknown option '--account'");
    expect(run("users --json lock ada@example.com -yq").global).toEqual({ json: true, yes: true, quiet: true });
  });

  test.each([
    ["nonsense", "Unknown command 'nonsense'"],
    ["docter", "Did you mean doctor?"],
    ["delivreies", "Did you mean deliveries?"],
    ["users lok ada@example.com", "Did you mean lock?"],
    ["mantenance on", "Did you mean maintenance?"],
    ["catalogue", "A command is missing: sync, changes"],
    ["catalogue --json", "A command is missing: sync, changes"],
    ["catalogue synk", "Did you mean sync?"],
    ["users lock", "Missing required argument 'account'"],
    ["users lock a b", "Too many arguments for 'lock'. Expected 1 argument but got 2: a, b"],
    ["users --sarch ada", "Did you mean --search?"],
    ["users --limit many", "Option '--limit <n>' argument 'many' is invalid. It takes a number"],
    ["users ada", "Unknown command 'ada'. To look for it: users --search ada"],
    ["users --limit", "Option '--limit <n>' argument missing"],
    ["users --search=", "It is empty"],
    ["users --state lockt", "Allowed choices are unverified, locked, staff"],
    ["doctor --json=yes", "Unknown option '--json=yes'"],
    ["import x --date 2026-02-30", "It takes a day such as 2026-07-31"],
    ["users grant a@example.com gold", "Allowed choices are personal, professional, business"],
    ["users lock a@example.com --reason x", "--reason takes 3 to 500 characters"],
    ["users staff a@example.com perhaps", "Allowed choices are on, off"],
    ["channels resume pigeon", "Allowed choices are email"],
    ["completion cmd", "Allowed choices are bash, zsh, fish"],
    ["maintenance on --until tomorrow", "--until takes 30m, 2h or a moment"],
    ["maintenance on --until 2026-07-31T12:00", "--until takes 30m, 2h or a moment"],
    ["deliveries resend", "Name the messages, or say --dead for all"],
    ["deliveries hold a --all", "Name the messages, or say --all"],
    ["deliveries release", "Name the messages, or a --reason"],
    ["deliveries release --reason quiet", "Allowed choices are misconfigured"],
    ["catalogue changes --since yesterday", "--since takes a day"],
    ["--colour", "Unknown option '--colour'"],
    ["--quiet", "A command is missing: doctor, config"],
    ["help usres", "Did you mean users?"],
  ])("rejects %s", (line, says) => {
    expect(wrong(line)).toContain(says);
  });

  test("knows which command was meant and whether JSON is wanted, even for a wrong line", () => {
    expect(parse(COMMANDS, ["users", "lock", "--json"])).toMatchObject({ topic: "users lock", global: { json: true } });
    expect(parse(COMMANDS, ["users", "ada"])).toMatchObject({ topic: "users", global: { json: false } });
    expect(parse(COMMANDS, ["--colour", "--json"])).toMatchObject({ topic: "", global: { json: true } });
  });

  test("shows help without arguments, for --help and for help", () => {
    expect(help("")).toBe(help("--help"));
    expect(help("")).toBe(help("help"));
    expect(help("users lock --help")).toContain("Usage: breachbell users lock [options] <account>");
    expect(help("users lock --help")).toBe(help("help users lock"));
    expect(help("help users")).toContain("users revoke-grant <account>");
    expect(help("help users lok")).toBe(help("help users"));
    expect(help("catalogue -h")).toContain("catalogue sync");
    expect(help("help", 80, true)).toContain("\u001b[1mPeople:\u001b[0m");
    expect(help("--version")).toBe(`${PRODUCT} ${VERSION}`);
  });

  test("neither prints nor exits, whatever is typed", () => {
    const written = [spyOn(process.stdout, "write"), spyOn(process.stderr, "write"), spyOn(process, "exit")];
    for (const line of ["", "help", "--version", "nonsense", "users ada", "catalogue", "users lock a"])
      parse(COMMANDS, words(line));
    const calls = written.map((one) => one.mock.calls.length);
    for (const one of written) one.mockRestore();
    expect(calls).toEqual([0, 0, 0]);
  });
});
