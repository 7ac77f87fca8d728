import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SECRETS } from "../../src/config/config.ts";
import { PRODUCT, VERSION } from "../../src/shared/product.ts";
import { configOf, dockerfile, type Instruction, ROOT, stagesOf } from "./dockerfile.ts";

const SECRET_NAME = /secret|token|password|passwd|key\b|credential/i;
const ARCHITECTURE = /\b(amd64|x86_64|x64|arm64|aarch64|--platform=linux)\b/i;

/** What a Dockerfile can do that ours must not. */
function faultsIn(stages: Instruction[][]): string[] {
  const last = stages.at(-1) ?? [];
  const all = stages.flat();
  const lines = ({ name, rest }: Instruction) => `${name} ${rest}`;
  const config = configOf(
    stages.map((stage) => stage.filter(({ rest, name }) => name !== "CMD" || rest.startsWith("["))),
  );
  return [
    // It runs without a shell, so that nothing can be injected through one.
    ...all.filter(({ name, rest }) => ["RUN", "CMD", "ENTRYPOINT", "SHELL"].includes(name) && !rest.startsWith("[")),
    // The last stage only copies, so it can be built on any processor.
    ...last.filter(({ name }) => name === "RUN" || name === "ADD"),
    ...last.filter(({ name, rest }) => name === "COPY" && !rest.startsWith("--from=build ")),
    ...all.filter(({ name, rest }) => ["ARG", "ENV"].includes(name) && SECRET_NAME.test(rest)),
    ...all.filter((instruction) => ARCHITECTURE.test(lines(instruction))),
    ...all.filter(({ name, rest }) => ["FROM", "ARG"].includes(name) && /:latest\b/.test(rest)),
  ]
    .map(lines)
    .concat(config.user === "1000:1000" ? [] : [`USER ${config.user}`])
    .concat(config.healthcheck.length > 1 ? [] : ["no HEALTHCHECK"]);
}

describe("the Dockerfile", () => {
  const stages = dockerfile();
  const config = configOf(stages);

  test("follows its rules", () => {
    expect(faultsIn(stages)).toEqual([]);
  });

  test("is reported when it violates one", () => {
    const text = readFileSync(join(ROOT, "Dockerfile"), "utf8");
    const planted: [string, string][] = [
      ["USER 1000:1000", "USER root"],
      ["VOLUME /data", "VOLUME /data\nENV APP_SECRET=abc"],
      ["VOLUME /data", 'VOLUME /data\nRUN ["bun", "--version"]'],
      ["VOLUME /data", "VOLUME /data\nCOPY . /app"],
      ["VOLUME /data", "VOLUME /data\nADD https://example.org/a /a"],
      ['RUN ["bun", "src/build/prepare.ts"]', "RUN bun src/build/prepare.ts"],
      ["--platform=$BUILDPLATFORM", "--platform=linux/amd64"],
      ["oven/bun:1.4.5-distroless", "oven/bun:latest"],
    ];
    for (const [from, to] of planted) {
      expect(text).toContain(from);
      expect({ to, faults: faultsIn(stagesOf(text.replace(from, to))).length }).toEqual({ to, faults: 1 });
    }
  });

  test("sets what a container needs, and leaves no place for a secret", () => {
    expect(config.env).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data" });
    expect(config.volumes).toEqual(["/data"]);
    for (const name of SECRETS) expect(Object.keys(config.env)).not.toContain(name);
  });

  test("uses the probe that checks whether requests can be answered", () => {
    expect(config.healthcheck.join(" ")).toContain("/readyz`");
    const probes = readFileSync(join(ROOT, "src/telemetry/probes.ts"), "utf8");
    expect(probes).toContain('.get("/readyz"');
  });

  test("names the product, its version and the version of Bun used everywhere else", () => {
    const { version, license, packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(config.labels).toMatchObject({
      "org.opencontainers.image.title": PRODUCT,
      "org.opencontainers.image.version": VERSION,
      "org.opencontainers.image.licenses": license,
    });
    expect(version).toBe(VERSION);
    const bun = packageManager.replace("@", ":");
    const bases = stages.flat().filter(({ name, rest }) => name === "ARG" && /BASE=/.test(rest));
    expect(bases).toHaveLength(2);
    for (const { rest } of bases) expect(rest).toContain(`oven/${bun}-`);
  });

  test("passes neither history, secrets, tests nor other build output to the build", () => {
    const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
    const secret = [".env*", "data", "secrets", "backups", "secret.key"];
    for (const name of [".git", "node_modules", "web/dist", "test", ...secret]) expect(ignored).toContain(name);
  });
});
