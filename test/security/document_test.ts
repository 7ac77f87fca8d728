import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { POLICY } from "../../src/backup/after_restore.ts";
import { settingsSchema } from "../../src/config/config.ts";
import { isCommon } from "../../src/identity/account/password.ts";
import { BURST } from "../../src/identity/api_tokens/api_allowance.ts";
import { TOKENS_PER_ACCOUNT } from "../../src/identity/api_tokens/api_token.ts";
import type { CommonPasswords } from "../../src/identity/ports.ts";
import { LIMITS, WRONG_CODES_MAX } from "../../src/identity/sign_in/attempts.ts";
import { lifetimes, SESSIONS_PER_ACCOUNT } from "../../src/identity/sign_in/session.ts";
import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import { MAX_CONTACTS } from "../../src/shared/contacts.ts";
import { VERSION } from "../../src/shared/product.ts";
import { STAFF_ACTS } from "../../src/shared/staff.ts";
import { ASKER_LIMIT, MAILBOX_LIMIT, NETWORK_LIMIT } from "../../src/shared/stranger_mail.ts";
import { MAX_BULK } from "../../src/tracking/inputs.ts";
import { readTree } from "../architecture/imports.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = [
  "SECURITY.md",
  ...["threat_model", "authentication", "limits", "asvs"].map((name) => `docs/security/${name}.md`),
];
const text = DOCUMENTS.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
const tree = [...readTree(ROOT, ["src"])].filter(([path]) => path.endsWith(".ts"));

/** The text below a heading, up to the next one of its level. */
function section(heading: string): string {
  const depth = "#".repeat(heading.split(" ")[0]?.length ?? 0);
  const [, below] = text.split(`\n${heading}\n`);
  if (below === undefined) throw new Error(`No document about security has "${heading}"`);
  return below.split(new RegExp(`\n#{1,${depth.length}} `))[0] ?? "";
}

/** Words in code style. */
const quoted = (part: string) => [...part.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
const rows = (part: string) =>
  part
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("SECURITY.md and docs/security", () => {
  test("state the limits for log-ins and requests, with the figures of the code", () => {
    const told = rows(section("## Signing in")).filter(([, name]) =>
      /^`\w+(Ip|Account|Device|Session|Mail|Change|Target|Token)`$/.test(name ?? ""),
    );
    const figures = told.map(([, name, , ...rest]) => [name, ...rest.slice(0, 3)]);
    const minutes = (ms: number) => `${ms / 60_000} min`;
    expect(figures).toEqual(
      Object.entries(LIMITS).map(([name, { tries, windowMs, lockMs }]) => [
        ...[`\`${name}\``, String(tries), minutes(windowMs), minutes(lockMs)],
      ]),
    );
    expect(section("### Limits on attempts")).toContain(`After ${WRONG_CODES_MAX} wrong second steps in a row`);
    const others = rows(section("### Other limits"));
    const limitOf = (what: string) => others.filter(([, one]) => one?.startsWith(what)).map(([, , limit]) => limit);
    expect(MAILBOX_LIMIT.withinMs / 86_400_000).toBe(7);
    expect([ASKER_LIMIT.withinMs, NETWORK_LIMIT.withinMs]).toEqual([86_400_000, 86_400_000]);
    for (const [what, limit] of [
      ["unsolicited mails to one mailbox", `${MAILBOX_LIMIT.count} in 7 days`],
      ["unsolicited mails caused by one account", `${ASKER_LIMIT.count} a day`],
      ["unsolicited mails caused by one network", `${NETWORK_LIMIT.count} a day`],
      ["personal tokens of an account", String(TOKENS_PER_ACCOUNT)],
      ["requests with one personal token", `${BURST} in a burst, then one a second`],
      ["contacts of an address", String(MAX_CONTACTS)],
      ["addresses added or removed in one request", MAX_BULK.toLocaleString("en")],
    ] as const)
      expect([what, ...limitOf(what)]).toEqual([what, limit]);
  });

  test("list the words that no password may contain, and every log-in method with its second step", () => {
    const part = section("## Signing in");
    const [, words = ""] = /it is made of (.*?) or the host name/.exec(part) ?? [];
    expect(quoted(words)).toEqual(["breachbell", "breach", "alert"]);
    const nothing = { has: () => false } as CommonPasswords;
    for (const word of quoted(words))
      expect(isCommon(`${word.toUpperCase()}2026!`, nothing, "bell.example")).toBe(true);
    expect(isCommon("Bell.example1", nothing, "bell.example")).toBe(true);
    expect(isCommon("Purple7Lantern", nothing, "bell.example")).toBe(false);
    const list = readFileSync(join(ROOT, "src/identity/adapters/secrets/common_passwords.txt"), "utf8")
      .trim()
      .split("\n");
    expect(part).toContain(`list of ${list.length.toLocaleString("en")} common ones`);
    for (const way of [
      "password",
      ...["google", "github", "microsoft"],
      "email",
      "authenticator",
      "passkey",
      "recovery_code",
    ])
      expect(quoted(part)).toContain(way);
  });

  test("state how long a session lasts and how many are allowed", () => {
    const part = section("## Signing in");
    const now = () => new Date("2026-11-22T00:00:00Z");
    const hours = (sessionProfile: "default" | "strict") => {
      const { expiryOf, cookieSeconds } = lifetimes({ sessionProfile, now });
      const idle = expiryOf({ level: "authenticated", createdAt: now() }).getTime() - now().getTime();
      return [idle / 3_600_000, cookieSeconds(now()) / 3_600];
    };
    const [[idle, all], [strictIdle, strictAll]] = [hours("default"), hours("strict")];
    expect(part).toContain(`A session lasts ${idle} hours without use and ${(all ?? 0) / 24} days at most`);
    expect(part).toContain(
      `\`SESSION_PROFILE=strict\` it lasts ${strictIdle} hour without use and ${strictAll} hours at most`,
    );
    expect(part).toContain(`An account has ${SESSIONS_PER_ACCOUNT} sessions at most`);
  });

  test("state who may do what", () => {
    const words = quoted(section("### Who may do what"));
    for (const word of ["open", "website", "service", ...API_SCOPES]) expect(words).toContain(word);
    const told = rows(section("### Who may do what")).map(([, who]) => who);
    for (const who of ["partly signed in", "a program", "owner of a tracked address", "staff"])
      expect(told.some((one) => one?.startsWith(who))).toBe(true);
  });

  test("list settings that must be consistent", () => {
    const part = section("### Combined constraints");
    for (const one of ["method", "password", "maintenance", "quote", "link", "code"]) expect(part).toContain(one);
  });

  test("list every purpose of a key, and every algorithm that the code uses", () => {
    const part = section("## Keys and algorithms");
    const all = tree.map(([, source]) => source).join("\n");
    const purposes = [
      ...all.matchAll(/\bmac\(\s*"([^"]+)"/g),
      ...all.matchAll(/(?:ASKING|ANSWERING) = "([^"]+)"/g),
    ].map(([, purpose = ""]) => purpose);
    const [, list = ""] = part.split("Purposes of the signing key: ");
    const told = quoted(list.split("\n\n")[0]?.split("What is signed for others")[0] ?? "");
    expect(told.toSorted()).toEqual([...new Set([...purposes, "ended account", "ended consent"])].toSorted());

    const algorithms = [
      ...all.matchAll(/\b(?:createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync)\(\s*"([^"]+)"/g),
      ...all.matchAll(/\balgorithm: "([^"]+)"/g),
      ...all.matchAll(/: "(sha1|sha256|sha512|md5)"/g),
    ].map(([, name = ""]) => name);
    const table = rows(part).flatMap(([, name = ""]) => quoted(name).slice(0, 1));
    expect(table.filter((name) => !name.startsWith("@")).toSorted()).toEqual([...new Set(algorithms)].toSorted());
  });

  test("list every destination that the server connects to", () => {
    const told = quoted(section("## Outbound connections"));
    const settings = Object.keys(settingsSchema.entries).filter((name) => /_URL$|_ENDPOINT$/.test(name));
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !told.includes(name))).toEqual([]);
  });

  test("assign every table a level of protection", () => {
    const levels = rows(section("## Data at rest and in logs")).filter(([, level]) => level?.startsWith("**"));
    expect(levels.length).toBe(5);
    for (const cells of levels) expect(cells.slice(1, 6).every((cell) => cell !== "")).toBe(true);
    const told = levels.flatMap(([, , tables = ""]) => quoted(tables));
    expect(told.toSorted()).toEqual(Object.keys(POLICY).toSorted());
  });

  test("list every event and action of the logs", () => {
    const part = section("## Data at rest and in logs");
    const [, events = "", acts = ""] =
      /Account events: ([\s\S]*?)\.\n- Staff and command-line actions: ([\s\S]*?)\./.exec(part) ?? [];
    const source = readFileSync(join(ROOT, "src/identity/account/audit_ports.ts"), "utf8");
    const known = [...source.matchAll(/^ {4}\| "(\w+)"/gm)].map(([, event = ""]) => event);
    expect(quoted(events)).toEqual(known);
    expect(quoted(acts)).toEqual([...STAFF_ACTS]);
  });

  test("state within how many days a vulnerable package is replaced", () => {
    const part = section("## Report a weakness");
    for (const [how, days] of [
      ["critical", "2 days"],
      ["high", "7 days"],
      ["medium", "30 days"],
    ] as const)
      expect(rows(part).some(([, bad, within]) => bad?.startsWith(how) && within === days)).toBe(true);
    expect(part).toContain("The same times apply to vulnerable packages");
  });

  test("list expensive operations and their limits", () => {
    const bounds = rows(section("## Expensive operations")).slice(2);
    expect(bounds.length).toBeGreaterThan(5);
    for (const [, what, bound] of bounds) expect([what, bound].every((cell) => cell !== "")).toBe(true);
    const figure = (path: string, pattern: RegExp) => pattern.test(readFileSync(join(ROOT, path), "utf8"));
    expect(figure("src/server/app.ts", /BODY_LIMIT = 64 \* 1024/)).toBe(true);
    expect(figure("src/billing/adapters/http/webhook.ts", /BODY_LIMIT = 512 \* 1024/)).toBe(true);
    expect(figure("src/breaches/adapters/sources/source_http.ts", /BODY_LIMIT = 8 \* 1024 \* 1024/)).toBe(true);
    expect(figure("src/breaches/adapters/sources/logos_http.ts", /LARGEST = 512 \* 1024/)).toBe(true);
  });

  test("refer to existing tests only", () => {
    const named = new Set(quoted(section("## Threats")).filter((word) => word.endsWith("_test.ts")));
    expect(named.size).toBeGreaterThan(20);
    for (const file of named)
      expect([file, readFileSync(join(ROOT, "test", file), "utf8").includes("test")]).toEqual([file, true]);
  });
});

describe("CHANGELOG.md", () => {
  test("describes this version, and what its newest migration means for an upgrade", () => {
    const changes = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
    const [newest = ""] = changes.split("\n## ").slice(1);
    expect(newest.split("\n")[0]).toContain(VERSION);
    const journal = JSON.parse(readFileSync(join(ROOT, "migrations/meta/_journal.json"), "utf8")) as {
      entries: { tag: string }[];
    };
    expect(newest.split("\n### Upgrading")[1]).toContain(`Migration \`${journal.entries.at(-1)?.tag}\``);
  });
});
