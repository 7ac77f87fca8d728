import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Image, imageForTests, isSkipped } from "./image.ts";

/** Without its base. A larger size needs a reason, and another figure in the README. */
const MAX_MB = 39;

/** Files and folders of the root, relative to it. */
function everything(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? [path, ...everything(root, path)] : [path];
  });
}

describe.skipIf(isSkipped("what is in the container's image is not looked at"))("in the container's image", () => {
  let image: Image;

  beforeAll(() => {
    image = imageForTests();
  });
  afterAll(() => image?.remove());

  test("is what runs, and nothing of the development tools", () => {
    const paths = everything(image.root).filter((path) => /^\/(app|usr\/local)\b/.test(path));
    const odd =
      /\.(ts|tsx|map|cjs|env|npmrc|pem|key|log)$|\/(test|tests|bunfig\.toml|bun\.lock|package-lock\.json|\.git)(\/|$)/;
    expect(paths.filter((path) => odd.test(path))).toEqual([]);
    const packages = readdirSync(join(image.root, "app/node_modules")).sort();
    expect(packages).toEqual([".cache", "@electric-sql"]);
    for (const name of ["sbom.json", "licences.txt", "LICENSE", "web/dist/index.html"])
      expect(paths).toContain(`/app/${name}`);
  });

  test("is nothing that depends on the processor, and no shell", () => {
    const paths = everything(image.root);
    const own = paths.filter((path) => /^\/(app|usr\/local\/bin\/breachbell)\b/.test(path));
    const isProgram = (path: string) =>
      statSync(join(image.root, path)).isFile() &&
      readFileSync(join(image.root, path)).subarray(0, 4).toString("latin1") === "\x7fELF";
    expect(isProgram("/usr/local/bin/bun")).toBe(true);
    expect(own.filter(isProgram)).toEqual([]);
    expect(paths.filter((path) => /\/(sh|bash|dash|busybox|env)$/.test(path))).toEqual([]);
  });

  test("is no setuid file, and none of its own that its user may change", () => {
    const files = everything(image.root).map((path) => ({
      path,
      stat: statSync(join(image.root, path), { throwIfNoEntry: false }),
    }));
    expect(files.filter(({ stat }) => stat !== undefined && (stat.mode & 0o6000) !== 0)).toEqual([]);
    const data = statSync(join(image.root, "data"));
    expect({ uid: data.uid, gid: data.gid, mode: data.mode & 0o7777 }).toEqual({ uid: 1000, gid: 1000, mode: 0o700 });
    expect(statSync(image.root)).toMatchObject({ uid: 0, gid: 0 });
    const own = files.filter(({ path, stat }) => stat !== undefined && /^\/(app|usr\/local)\b/.test(path));
    expect(own.filter(({ stat }) => stat?.uid !== 0 || (stat.mode & 0o022) !== 0).map(({ path }) => path)).toEqual([]);
  });

  test(`is smaller than ${MAX_MB} MB without its base`, () => {
    const sizes = everything(image.root)
      .filter((path) => /^\/(app\/|usr\/local\/bin\/breachbell)/.test(path))
      .map((path) => statSync(join(image.root, path)))
      .filter((stat) => stat.isFile())
      .map(({ size }) => size);
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
    console.log(`The image adds ${megabytes.toFixed(1)} MB in ${sizes.length} files to its base.`);
    expect(megabytes).toBeLessThan(MAX_MB);
    expect(megabytes).toBeGreaterThan(10);
  });
});
