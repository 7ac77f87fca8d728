// Builds the image with the Dockerfile itself, on stand-ins for its base images, and runs the same tests on the result.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingForBoxes } from "./box.ts";
import { type ImageConfig, ROOT } from "./dockerfile.ts";
import { roomFor, standIn } from "./stand_in.ts";

const missing = missingForBoxes() ?? (Bun.which("buildah") === null ? "buildah is missing" : undefined);
if (missing !== undefined) {
  console.log(`skipped: the image cannot be built here: ${missing}`);
  process.exit(0);
}

const room = roomFor("built");
const storage = ["--storage-driver", "vfs", "--root", join(room, "storage"), "--runroot", join(room, "run")];
const NAME = "breachbell-test";

function buildah(...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["buildah", ...storage, ...words], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`buildah ${words.join(" ")}\n${stdout}${stderr}`.slice(-4000));
  return stdout.toString().trim();
}

/** An image of a folder, with the settings of Bun's official ones. */
function base(name: string, folder: string): string {
  const container = buildah("from", "scratch");
  buildah("copy", "--quiet", container, folder, "/");
  buildah("config", "--entrypoint", '["/usr/local/bin/bun"]', container);
  buildah("commit", "--quiet", "--rm", container, name);
  return `localhost/${name}`;
}

type Inspected = {
  OCIv1: {
    config: {
      Env: string[];
      User: string;
      WorkingDir: string;
      Entrypoint?: string[];
      Cmd?: string[];
      Volumes?: Record<string, object>;
      Labels?: Record<string, string>;
    };
  };
  Docker: { config: { Healthcheck: { Test: string[] } } };
};

function configOf({ OCIv1: { config }, Docker }: Inspected): ImageConfig {
  const env = config.Env.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
  return {
    env: Object.fromEntries(env),
    user: config.User,
    workdir: config.WorkingDir,
    entrypoint: config.Entrypoint ?? [],
    cmd: config.Cmd ?? [],
    healthcheck: Docker.config.Healthcheck.Test.slice(1),
    volumes: Object.keys(config.Volumes ?? {}),
    labels: config.Labels ?? {},
  };
}

let failed = true;
try {
  const started = performance.now();
  const bases = [
    ["BUILD_BASE", base("build-base", standIn({ builds: true }))],
    ["BASE", base("run-base", standIn({ builds: false }))],
  ].flatMap(([name, image]) => ["--build-arg", `${name}=${image}`]);
  // Packages come from Bun's own cache if they are there already; a proxy or private registry is configured in the
  // environment.
  const cache = Bun.spawnSync([process.execPath, "pm", "cache"], { cwd: ROOT }).stdout.toString().trim();
  mkdirSync(cache, { recursive: true });
  const shared = ["--volume", `${cache}:/root/.bun/install/cache:O`, "--network", "host"];
  // Docker's own image format, as the other one has no health checks.
  const form = ["--format", "docker", "--isolation", "chroot", "--layers=false", "--pull-never"];
  buildah("bud", ...form, ...shared, ...bases, "--tag", NAME, ".");
  const container = buildah("from", "--pull-never", `localhost/${NAME}`);
  const root = buildah("mount", container);
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
  const inspected = JSON.parse(buildah("inspect", "--type", "image", `localhost/${NAME}`)) as Inspected;
  const description = join(room, "image.json");
  writeFileSync(description, JSON.stringify({ root, config: configOf(inspected) }));
  const tests = Bun.spawn([process.execPath, "test", "--timeout", "60000", "test/container"], {
    cwd: ROOT,
    env: { ...process.env, BREACHBELL_IMAGE: description },
    stdio: ["ignore", "inherit", "inherit"],
  });
  failed = (await tests.exited) !== 0;
} finally {
  rmSync(room, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
