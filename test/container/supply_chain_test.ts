import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { closureOf, type Locked, licenceOf, readLockfile, resolved } from "../../src/build/lockfile.ts";
import { createSbom } from "../../src/build/sbom.ts";
import { browserPackages, shippedPackages } from "../../src/build/shipped_packages.ts";
import { ROOT } from "./dockerfile.ts";

/** Licences that may be shipped: those that require no more than attribution. */
const ALLOWED = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
  "(MIT OR CC0-1.0)",
];

type Manifest = Record<"dependencies" | "devDependencies", Record<string, string>> & { trustedDependencies?: string[] };
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
const text = readFileSync(join(ROOT, "bun.lock"), "utf8");
const lockfile = readLockfile(text);

/** Problems with the origin of packages. */
function doubtfulIn(packages: Iterable<Locked>): string[] {
  return [...packages].flatMap(({ key, version, origin, integrity }) => [
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ? [] : [`${key} has no integrity`]),
    // Empty means the default registry; a path, an archive's URL or a branch is not allowed.
    ...(origin === "" ? [] : [`${key} comes from ${origin}`]),
    ...(/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) ? [] : [`${key} is no released version: ${version}`]),
  ]);
}

describe("a third-party package", () => {
  test("is pinned to one exact version", () => {
    const asked = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.entries(asked).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    for (const [name, version] of Object.entries(asked)) expect(resolved(lockfile, "", name)?.version).toBe(version);
  });

  test("comes from the registry, with the integrity hash of the lockfile", () => {
    expect(lockfile.size).toBeGreaterThan(100);
    expect(doubtfulIn(lockfile.values())).toEqual([]);
    expect(text).not.toMatch(/https?:|git[+@]|file:|link:/);
  });

  test("from another origin is detected", () => {
    const [good] = lockfile.values();
    if (good === undefined) throw new Error("The lockfile is empty");
    const planted = [
      { integrity: "" },
      { origin: "https://elsewhere.example/a.tgz" },
      { version: "github:a/b#c0ffee" },
    ];
    for (const change of planted) expect(doubtfulIn([{ ...good, ...change }])).toHaveLength(1);
    expect(() => readLockfile('{ "lockfileVersion": 2, "packages": { "a": ["a@file:../a", {}] } }')).toThrow('"a"');
  });

  test("runs no install script", () => {
    // Without the list Bun trusts some hundred well-known packages.
    expect(manifest.trustedDependencies).toEqual([]);
    expect(text).not.toMatch(/"trustedDependencies": \[[^\]]/);
  });

  test("is shipped under a permitted licence", () => {
    const shipped = shippedPackages(ROOT);
    const refused = shipped.map((locked) => `${locked.key}: ${licenceOf(ROOT, locked)}`);
    expect(refused.filter((line) => !ALLOWED.some((licence) => line.endsWith(`: ${licence}`)))).toEqual([]);
  });

  test("is found in both halves, and type-only packages are not shipped to browsers", () => {
    const browser = browserPackages(ROOT);
    expect(browser).toContain("react-dom");
    expect(browser).toContain("@mantine/core");
    expect(browser).not.toContain("hono-openapi");
    const both = shippedPackages(ROOT).filter(({ runsIn }) => runsIn.length === 2);
    expect(both.map(({ name }) => name)).toContain("valibot");
    expect([...closureOf(lockfile, ["hono"])].map(({ key }) => key)).toEqual(["hono"]);
    expect(() => closureOf(lockfile, ["no-such-package"])).toThrow("no-such-package");
  });

  test("is resolved like Node does: the nearest one wins", () => {
    const nested = [...lockfile.values()].find(({ key, name }) => key !== name && lockfile.has(name));
    if (nested === undefined) throw new Error("No package brings its own version of another along");
    const parent = nested.key.slice(0, -nested.name.length - 1);
    expect(resolved(lockfile, parent, nested.name)).toBe(nested);
    expect(resolved(lockfile, "", nested.name)).not.toBe(nested);
  });
});

type Sbom = {
  components: { name: string; group?: string; version: string; "bom-ref": string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

describe("the bill of materials", () => {
  const sbom = createSbom(ROOT) as Sbom;

  test("is valid CycloneDX", async () => {
    const { default: Ajv } = await import("ajv");
    const schema = (name: string) =>
      JSON.parse(
        readFileSync(
          join(ROOT, `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
          "utf8",
        ),
      ) as object;
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    for (const name of ["spdx", "jsf-0.82"])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(schema("bom-1.6"));
    validate(sbom);
    expect(validate.errors ?? []).toEqual([]);
    // It does validate: an unknown licence, a component without a name.
    const [first, ...rest] = sbom.components;
    const broken = [
      { ...first, licenses: [{ license: { id: "GPL-99" } }] },
      { ...first, name: undefined },
    ];
    for (const component of broken) expect(validate({ ...sbom, components: [component, ...rest] })).toBe(false);
  });

  test("names each shipped package once, and everything that is needed", () => {
    const refs = sbom.components.map((component) => component["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { name, version } of shippedPackages(ROOT))
      expect(refs).toContain(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
    expect(refs.filter((ref) => /biome|playwright|typescript|vite@/.test(ref))).toEqual([]);
  });

  test("is the same for the same lockfile", () => {
    expect(JSON.stringify(createSbom(ROOT))).toBe(JSON.stringify(sbom));
  });
});
