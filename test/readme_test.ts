import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../src/cli/commands.ts";
import { parse } from "../src/cli/parse.ts";
import { loadConfig, SECRETS, settingsSchema } from "../src/config/config.ts";
import { SETTING_WORDS, settingsTable, withSettingsTable } from "../src/config/settings_table.ts";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = ["README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"];
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = textOf("README.md");
const scripts = JSON.parse(textOf("package.json")).scripts as Record<string, string>;

/** What runs each command that the documents name: a test, or nobody but its user, and why. */
const RUN_BY: Record<string, string> = {
  start: "test/e2e/newcomer_test.ts",
  test: "test/run.ts",
  dev: "test/development/loop_test.ts",
  "test:changed": "by hand: it chooses among tests that are run anyway",
  "test:nightly": "by hand or by the schedule of .github/workflows/test.yml; test/tiers_test.ts holds its parts",
  "test:stability": "by hand: it runs the gate again and again",
  lint: "test/run.ts",
  typecheck: "test/run.ts",
  format: "by hand: it changes files",
  "publish-breach": "test/e2e/newcomer_test.ts",
  breachbell: "test/cli/handover_test.ts",
  sbom: "test/container/supply_chain_test.ts",
  asvs: "test/security/asvs_test.ts",
  attacks: "test/attacks/attacks_test.ts",
  mutants: "by hand: it runs tests forty times; test/mutants/mutants_test.ts sees that each still has its place",
  settings: "test/readme_test.ts",
  "test:container": "by hand: it builds an image",
  bench: "by hand: it measures",
  faults: "by hand: it takes long; the tests in test/faults run short forms",
  walk: "by hand: every page in every language takes long; the tests of screens visit each page in two",
  pseudo: "by hand: it is a server for development; its build is the one that test/web/screens.ts looks at",
  "migrate:new": "by hand: it writes a migration",
};

const SERVER = "postgres://breachbell@127.0.0.1/breachbell";
const LONG = "x".repeat(32);

/** For each setting that is required at times, a configuration that demands it. */
const DEMANDED_BY: Record<string, Record<string, string>> = {
  ...Object.fromEntries(
    ["PUBLIC_URL", "DATABASE_URL", "SMTP_URL", "BREACH_SOURCE", "BILLING", "SUPPORT_EMAIL"].map((name) => [
      name,
      { NODE_ENV: "production" },
    ]),
  ),
  APP_SECRET: { NODE_ENV: "production", DATABASE_URL: SERVER },
  MAIL_FROM: { SMTP_URL: "smtp://127.0.0.1" },
  BOUNCE_DOMAIN: { BOUNCE_SECRET: LONG },
  BOUNCE_SECRET: { BOUNCE_DOMAIN: "mail.breachbell.example" },
  HIBP_API_KEY: { BREACH_SOURCE: "hibp" },
  NTFY_BASE_URL: { NTFY_TOKEN: "tk_1" },
  STRIPE_SECRET_KEY: { BILLING: "stripe" },
  STRIPE_WEBHOOK_SECRET: { BILLING: "stripe" },
  GOOGLE_CLIENT_ID: { GOOGLE_CLIENT_SECRET: "s" },
  GOOGLE_CLIENT_SECRET: { GOOGLE_CLIENT_ID: "i" },
  GITHUB_CLIENT_ID: { GITHUB_CLIENT_SECRET: "s" },
  GITHUB_CLIENT_SECRET: { GITHUB_CLIENT_ID: "i" },
  MICROSOFT_CLIENT_ID: { MICROSOFT_CLIENT_SECRET: "s" },
  MICROSOFT_CLIENT_SECRET: { MICROSOFT_CLIENT_ID: "i" },
  METRICS_TOKEN: { METRICS_PORT: "9000", METRICS_HOST: "0.0.0.0" },
  OTEL_EXPORTER_OTLP_ENDPOINT: { OTEL_EXPORTER_OTLP_HEADERS: "a=b" },
};

/** What a start with these settings says to be missing. */
function demanded(environment: Record<string, string>): string[] {
  const loaded = loadConfig(environment, () => "");
  return loaded.ok ? [] : loaded.problems.flatMap((problem) => /^(\w+) is missing/.exec(problem)?.[1] ?? []);
}

/** Commands in code: blocks for a shell, and what stands between backticks. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block.replaceAll("\\\n", " ").split("\n"),
  );
  const inline = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...inline]
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => /^(?:[A-Z_]+=\S+ )*(?:bun|npx bun@\S+|breachbell|docker exec \S+ breachbell) /.test(line));
}

/** What is wrong with a command; nothing where it can be run. */
function faultOf(command: string): string | undefined {
  const line = command.replace(/^(?:[A-Z_]+=\S+ )*/, "").replace(/^npx bun@\S+ /, "bun ");
  const words = line.split(/\s+/);
  const at = words.indexOf("breachbell");
  if (at >= 0) {
    const typed = words.slice(words[0] === "docker" ? at + 2 : at + 1).map((word) => word.replace(/^<(\w+)>$/, "$1"));
    // In a sentence a command may be called by its name alone.
    if (COMMANDS.some(({ name }) => name === typed.join(" "))) return undefined;
    const parsed = parse(COMMANDS, typed);
    return parsed.kind === "wrong" ? parsed.says : undefined;
  }
  const [, second = "", third = ""] = words;
  const script = second === "run" ? third : second;
  if (script in scripts) return script in RUN_BY ? undefined : "nobody is said to run it";
  if (["audit", "build"].includes(script)) return undefined;
  const path = words.slice(1).find((word) => word.endsWith(".ts"));
  if (path !== undefined) return existsSync(join(ROOT, path)) ? undefined : "there is no such file";
  return script === "test" && third === "<path>" ? undefined : "there is no such script";
}

describe("the documents", () => {
  test.each(DOCUMENTS)("%s names commands that can be run", (path) => {
    const faults = commandsIn(textOf(path)).map((command) => ({ command, fault: faultOf(command) }));
    expect(faults.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  test("name enough of them to be worth this test, and a wrong one is seen", () => {
    expect(commandsIn(readme).length).toBeGreaterThan(15);
    expect(faultOf("bun run no-such-script")).toBe("there is no such script");
    expect(faultOf("bun run breachbell users lokc ada@example.com")).toContain("users lock");
    expect(faultOf("KILLS=1 bun test/no_such_file.ts")).toBe("there is no such file");
  });

  test("say of every command who runs it, and these tests are there", () => {
    const tests = Object.values(RUN_BY).filter((by) => !by.startsWith("by hand"));
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(Object.keys(RUN_BY).filter((name) => !(name in scripts))).toEqual([]);
  });

  test.each(DOCUMENTS)("%s links to what is there", (path) => {
    const links = [...textOf(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, to = ""]) => to,
    );
    expect(links.filter((to) => !existsSync(join(ROOT, to)))).toEqual([]);
  });
});

describe("the example of settings", () => {
  const example = textOf(".env.example");

  test("has ten settings that there are, and starts as it is", () => {
    const named = [...example.matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]);
    expect(named.map(([name = ""]) => name).filter((name) => !(name in settingsSchema.entries))).toEqual([]);
    expect(named.length).toBe(10);
    const set = Object.fromEntries([...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    expect(loadConfig(set, () => "")).toMatchObject({ ok: true });
  });
});

describe("the README's table of settings", () => {
  test("is what `bun run settings` writes", () => {
    expect(withSettingsTable(readme)).toBe(readme);
  });

  test("has each setting once, with a star at each that may come from a file", () => {
    const listed = [...settingsTable().matchAll(/^\| `([A-Z0-9_]+)`( \*)? \|/gm)];
    expect(listed.map(([, name = ""]) => name)).toEqual(Object.keys(settingsSchema.entries));
    const starred = listed.filter(([, , star]) => star !== undefined).map(([, name = ""]) => name);
    expect(starred.toSorted()).toEqual([...SECRETS].toSorted());
  });

  test("has no cell that would break a row", () => {
    const rows = settingsTable().split("\n");
    expect(rows.filter((row) => row.split("|").length !== 6)).toEqual([]);
  });

  test("says of each what has to be set with it, as the start does", () => {
    const required = Object.entries(SETTING_WORDS).filter(([, words]) => words.required !== undefined);
    expect(required.map(([name]) => name).toSorted()).toEqual(Object.keys(DEMANDED_BY).toSorted());
    for (const [name, environment] of Object.entries(DEMANDED_BY)) {
      expect([name, demanded(environment).includes(name)]).toEqual([name, true]);
      expect([name, demanded({}).includes(name)]).toEqual([name, false]);
    }
    // Nothing else is demanded in production.
    const production = required.filter(([, words]) => words.required?.startsWith("in production"));
    expect(demanded({ NODE_ENV: "production", DATABASE_URL: SERVER }).toSorted()).toEqual(
      production
        .map(([name]) => name)
        .filter((name) => name !== "DATABASE_URL")
        .toSorted(),
    );
  });
});

describe("the README's map", () => {
  test("has every folder of src/", () => {
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => !new RegExp(`^  ${name}/ `, "m").test(readme))).toEqual([]);
  });
});
