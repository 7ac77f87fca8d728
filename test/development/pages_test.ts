import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { developmentPages, developmentPolicy, isAnsweredByServer } from "../../src/build/dev_pages.ts";
import { contentSecurityPolicy } from "../../src/http/security.ts";
import { readTree, sourcesOf } from "../architecture/imports.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "../..");
const DEVELOPMENT = ["dev.ts", "dev_pages.ts", "dev_restarts.ts"].map((name) => `src/build/${name}`);
/** The entry points of the image, `bun start`, the command line and the browser. */
const SHIPPED = [
  "src/main.ts",
  "src/breachbell.ts",
  "src/build/publish_breach.ts",
  "web/main.tsx",
  "web/app/prehydration.ts",
];

const sources = sourcesOf(readTree(ROOT, ["src", "web"]));

function reachedFrom(entries: string[]): Set<string> {
  const reached = new Set(entries);
  for (const path of reached) for (const { target } of sources.get(path)?.imports ?? []) reached.add(target);
  return reached;
}

describe("the policy of development", () => {
  test("is the shipped one except for what Vite's dev server needs", () => {
    const directives = (policy: string) => policy.split("; ");
    const [shipped, relaxed] = [directives(contentSecurityPolicy()), directives(developmentPolicy())];
    expect(relaxed.filter((directive) => !shipped.includes(directive))).toEqual([
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self' ws:",
    ]);
    expect(shipped.filter((directive) => !relaxed.includes(directive))).toEqual([
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types offline-worker source-text",
    ]);
  });

  test("is not shipped: no entry point reaches it, and no other file contains its text", () => {
    const reached = reachedFrom(SHIPPED);
    expect(reached.size).toBeGreaterThan(300);
    expect(DEVELOPMENT.filter((path) => reached.has(path))).toEqual([]);
    expect(reachedFrom(["src/build/dev.ts"])).toContain("src/build/dev_pages.ts");
    const relaxed = [...sources.values()].filter(({ text }) => /unsafe-(inline|eval)/.test(text));
    expect(relaxed.map(({ path }) => path)).toEqual(["src/build/dev_pages.ts"]);
  });

  test("is not part of the build", () => {
    expect([...reachedFrom(["web/build/vite.config.ts"])].filter((path) => DEVELOPMENT.includes(path))).toEqual([]);
    expect(developmentPages("http://127.0.0.1:1")).not.toHaveProperty("transformIndexHtml");
  });
});

describe("what Vite's dev server forwards", () => {
  test("includes every route of the server", () => {
    const paths = composed({ ...adaptersOn(memoryGround()), mailboxDirectory: "/nowhere" }).app.routes.map(
      ({ path }) => path,
    );
    const own = [...new Set(paths)].filter((path) => !/^\/?\*$/.test(path));
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((path) => !isAnsweredByServer(path))).toEqual([]);
  });

  test.each(["/", "/en/login", "/de/api", "/main.tsx", "/@vite/client", "/user.tsx", "/ui/field.tsx", "/mailboxes"])(
    "does not include %s",
    (path) => {
      expect(isAnsweredByServer(path)).toBe(false);
    },
  );

  test("includes no module of `web/`", () => {
    const modules = [...readTree(ROOT, ["web"]).keys()].map((path) => `/${path.slice("web/".length)}`);
    expect(modules).toContain("/api/queries.ts");
    expect(modules.filter((path) => isAnsweredByServer(path) || isAnsweredByServer(`${path}?t=1`))).toEqual([]);
  });
});
