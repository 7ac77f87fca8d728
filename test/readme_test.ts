import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMANDS } from "../src/cli/commands.ts";
import { parse } from "../src/cli/parse.ts";
import { loadConfig, settingsSchema } from "../src/config/config.ts";
import { CHANNELS } from "../src/shared/contacts.ts";
import { GENERATED } from "./support/generated.ts";

const ROOT = join(import.meta.dirname, "..");
const IN_DOCS = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".md"),
);
const DOCUMENTS = [
  ...["README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"],
  ...IN_DOCS.map((path) => `docs/${path}`).toSorted(),
];
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = textOf("README.md");
const scripts = JSON.parse(textOf("package.json")).scripts as Record<string, string>;

/** What runs each command in the documents: a test, or only its user, with a reason. */
const RUN_BY: Record<string, string> = {
  start: "test/e2e/newcomer_test.ts",
  build: "test/support/runner.ts",
  test: "test/run.ts",
  dev: "test/development/loop_test.ts",
  "test:changed": "by hand: it chooses among tests that are run anyway",
  "test:nightly": "by hand or by the schedule of .github/workflows/test.yml; test/tiers_test.ts holds its parts",
  "test:stability": "by hand: it runs the gate again and again",
  lint: "test/run.ts",
  typecheck: "test/run.ts",
  format: "by hand: it changes files",
  "publish-breach": "test/e2e/newcomer_test.ts",
  "refresh-directories": "test/development/refresh_directories_test.ts",
  seed: "test/development/seed_test.ts",
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
  pictures: "by hand: it takes the pictures anew; their sizes are looked at below",
  words: "by hand: it prints texts for a reader; what it prints is looked at by test/text_places_test.ts",
  pseudo: "by hand: it is a server for development; its build is the one that test/web/screens.ts looks at",
  "migrate:new": "by hand: it writes a migration",
};

/** The same for other shell commands in the documents, by their beginning. */
const OTHERS_RUN_BY: Record<string, string> = {
  "git clone": "by hand: it needs a repository",
  "docker build": "by hand: it needs Docker; test/container/dockerfile_test.ts reads the Dockerfile",
  "docker run": "test/container/deploy_test.ts",
  "docker exec": "test/container/image_test.ts",
  "docker compose": "test/container/deploy_test.ts",
  "mkdir -m": "test/container/deploy_test.ts",
  "openssl rand": "test/container/deploy_test.ts",
  "echo -n": "test/container/deploy_test.ts",
  "curl -fsSL": "by hand: it needs the network",
  "cp .env.example": "test/container/deploy_test.ts",
  "useradd --system": "by hand: it changes the machine",
  "install -m": "by hand: it changes the machine",
  "install -d": "by hand: it changes the machine",
  "apt-get install": "by hand: it changes the machine",
  "sed -i": "by hand: it changes the machine",
  "createuser --pwprompt": "by hand: it needs a database server of one's own",
  "createdb --owner=breachbell": "by hand: it needs a database server of one's own",
  "systemctl restart": "by hand: it needs systemd",
  "systemctl enable": "by hand: it needs systemd; test/container/deploy_test.ts has systemd check the unit",
  "systemd-run --pipe": "by hand: it needs systemd",
};

const FILES = ["src", "web", "test", "migrations"].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" }).map((path) => `${top}/${path}`),
);

/** The anchors of a document's headings, as GitHub generates them. */
function sectionsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
  return headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

/** Commands in code: all lines of shell blocks, and our own commands between backticks. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block.replaceAll("\\\n", " ").split("\n"),
  );
  const inline = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const ours = inline.filter((line) =>
    /^(?:[A-Z_]+=\S+ )*(?:bun|npx bun@\S+|breachbell|docker exec \S+ breachbell) /.test(line),
  );
  return [...blocks.flatMap((line) => line.split(" && ")), ...ours]
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("cd "));
}

/** What is wrong with a command; nothing if it can be run. */
function faultOf(command: string): string | undefined {
  const line = command.replace(/^(?:[A-Z_]+=\S+ )*/, "").replace(/^npx bun@\S+ /, "bun ");
  const words = line.split(/\s+/);
  const at = words.indexOf("breachbell");
  // In these, it is the name of an image or of a user.
  if (at >= 0 && !line.startsWith("docker run") && !line.startsWith("install ")) {
    const typed = words.slice(words[0] === "docker" ? at + 2 : at + 1).map((word) => word.replace(/^<(\w+)>$/, "$1"));
    // In a sentence a command may be mentioned by name only.
    if (COMMANDS.some(({ name }) => name === typed.join(" "))) return undefined;
    const parsed = parse(COMMANDS, typed);
    return parsed.kind === "wrong" ? parsed.says : undefined;
  }
  const [first, second = "", third = ""] = words;
  if (first !== "bun") return `${first} ${second}` in OTHERS_RUN_BY ? undefined : "nobody is said to run it";
  const script = second === "run" ? third : second;
  if (script in scripts) return script in RUN_BY ? undefined : "nobody is said to run it";
  if (["audit", "build"].includes(script)) return undefined;
  const path = words.slice(1).find((word) => word.endsWith(".ts"));
  if (path !== undefined) return existsSync(join(ROOT, path)) ? undefined : "there is no such file";
  return script === "test" && third === "<path>" ? undefined : "there is no such script";
}

describe("the documents", () => {
  test.each(DOCUMENTS)("%s contains only commands that can be run", (path) => {
    const faults = commandsIn(textOf(path)).map((command) => ({ command, fault: faultOf(command) }));
    expect(faults.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  test("contain enough commands for this test, and a wrong one is detected", () => {
    expect(DOCUMENTS.flatMap((path) => commandsIn(textOf(path))).length).toBeGreaterThan(60);
    expect(faultOf("bun run no-such-script")).toBe("there is no such script");
    expect(faultOf("bun run breachbell users lokc ada@example.com")).toContain("Did you mean lock?");
    expect(faultOf("KILLS=1 bun test/no_such_file.ts")).toBe("there is no such file");
    expect(commandsIn("```sh\nmake coffee\n```").map(faultOf)).toEqual(["nobody is said to run it"]);
  });

  test("state for every command what runs it, and these tests exist", () => {
    const tests = [...Object.values(RUN_BY), ...Object.values(OTHERS_RUN_BY)].filter((by) => !by.startsWith("by hand"));
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(Object.keys(RUN_BY).filter((name) => !(name in scripts))).toEqual([]);
  });

  test.each(DOCUMENTS)("%s has no broken links", (path) => {
    const links = [...textOf(path).matchAll(/(?:\]\(|src=")(?!https?:|mailto:)([^)"#]*)(?:#([^)"]*))?[)"]/g)];
    const faults = links.filter(([, to = "", section]) => {
      const target = to === "" ? path : join(dirname(path), to);
      if (!existsSync(join(ROOT, target))) return true;
      return section !== undefined && !sectionsOf(textOf(target)).includes(section);
    });
    expect(faults.map(([link]) => link)).toEqual([]);
  });

  test.each(DOCUMENTS)("%s names existing files", (path) => {
    const text = textOf(path).replaceAll(/```[\s\S]*?```/g, "");
    const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = ""]) => file);
    expect(named.filter((file) => !FILES.some((one) => one === file || one.endsWith(`/${file}`)))).toEqual([]);
  });

  test.each(Object.keys(GENERATED))("%s has the current generated section of `bun run settings`", (path) => {
    expect(GENERATED[path]?.(textOf(path))).toBe(textOf(path));
  });
});

describe("the README", () => {
  test("has at most two hundred lines", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(200);
  });

  test("shows two screens and a mail, and the documents a picture of a channel, each of at most 100 KB", () => {
    const pictures = readdirSync(join(ROOT, "docs/images")).toSorted();
    expect(pictures).toEqual(["alert", "dashboard", "mail", ...CHANNELS].map((name) => `${name}.webp`).toSorted());
    const channels = readdirSync(join(ROOT, "docs/channels")).map((name) => textOf(`docs/channels/${name}`));
    const shown = [readme, ...channels].join("\n");
    for (const picture of pictures) {
      expect(shown).toContain(`images/${picture}`);
      expect(statSync(join(ROOT, "docs/images", picture)).size).toBeLessThanOrEqual(100 * 1024);
    }
  });
});

describe("the example settings", () => {
  const example = textOf(".env.example");

  test("are ten existing settings, and the product starts with them", () => {
    const named = [...example.matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]);
    expect(named.map(([name = ""]) => name).filter((name) => !(name in settingsSchema.entries))).toEqual([]);
    expect(named.length).toBe(10);
    const set = Object.fromEntries([...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    expect(loadConfig(set, () => "")).toMatchObject({ ok: true });
  });

  test("are the ten at the beginning of docs/configuration.md", () => {
    const [, first = ""] = textOf("docs/configuration.md").split("## The ten settings to know first");
    const told = [...(first.split("\n## ")[0] ?? "").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = ""]) => name);
    const named = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(told).toEqual(named);
  });
});

describe("the map in docs/architecture.md", () => {
  test("has every folder of src/", () => {
    const map = textOf("docs/architecture.md");
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => !new RegExp(`^  ${name}/ `, "m").test(map))).toEqual([]);
  });
});

describe("the decisions", () => {
  const files = readdirSync(join(ROOT, "docs/decisions")).filter((name) => name !== "README.md");

  test("are numbered without a gap, and each is in the index by its title", () => {
    expect(files.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
    const listed = files
      .toSorted()
      .map((name) => `- [${textOf(`docs/decisions/${name}`).split("\n")[0]?.slice(2)}](${name})`);
    const index = textOf("docs/decisions/README.md").split("\n");
    expect(index.filter((line) => line.startsWith("- "))).toEqual(listed);
  });

  test.each(files)("%s has a context, a decision and consequences", (name) => {
    const parts = textOf(`docs/decisions/${name}`).split(/^## (.*)\n/m);
    expect(parts.filter((_, at) => at % 2 === 1)).toEqual(["Context", "Decision", "Consequences"]);
    expect(parts.every((part) => part.trim().length > 5)).toBe(true);
  });

  test("give a reason for every package", () => {
    const { dependencies, devDependencies } = JSON.parse(textOf("package.json"));
    const text = textOf(`docs/decisions/${files.find((name) => name.endsWith("dependencies.md"))}`);
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    expect(packages.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
