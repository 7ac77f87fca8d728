import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { missingForBoxes } from "./box.ts";
import { configOf, dockerfile, type ImageConfig, ROOT } from "./dockerfile.ts";
import { roomFor, standIn } from "./stand_in.ts";

export type Image = { root: string; config: ImageConfig; remove(): void };

/** The image that `built.ts` built with the Dockerfile, if that is tested. */
const BUILT = process.env.BREACHBELL_IMAGE;

/** Whether this machine cannot run it; if so, prints what is not tested and why. */
export function isSkipped(what: string): boolean {
  const missing = missingForBoxes();
  if (missing !== undefined) console.log(`skipped: ${what}: ${missing}`);
  return missing !== undefined;
}

/** The image as assembled by the Dockerfile's last stage, on the stand-in for its base, without a new build. */
export function imageForTests(): Image {
  if (BUILT !== undefined) return { ...(JSON.parse(readFileSync(BUILT, "utf8")) as Image), remove() {} };
  const room = roomFor("image");
  const root = join(room, "root");
  const packed = join(room, "packed");
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "src/build/pack.ts", packed], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`Cannot pack: ${stderr}`);
  // With hard links: Bun alone has 100 MB.
  Bun.spawnSync(["cp", "-al", standIn({ builds: false }), root]);
  const stages = dockerfile();
  for (const { name, rest } of stages.at(-1) ?? []) {
    if (name === "COPY") putInPlace(rest, { packed, root });
  }
  return { root, config: configOf(stages), remove: () => rmSync(room, { recursive: true, force: true }) };
}

/** `--from=build [--chown=u:g] /image/… /…`: copies from one folder to the other. */
function putInPlace(rest: string, { packed, root }: { packed: string; root: string }): void {
  const words = rest.split(/\s+/);
  const [from = "", to = ""] = words.filter((word) => !word.startsWith("--"));
  const owner = words.find((word) => word.startsWith("--chown="))?.slice("--chown=".length) ?? "0:0";
  const [uid = Number.NaN, gid = Number.NaN] = owner.split(":").map(Number);
  const source = join(packed, from.replace(/^\/image\//, ""));
  mkdirSync(join(root, to), { recursive: true });
  for (const name of readdirSync(source)) {
    const target = join(root, to, name);
    renameSync(join(source, name), target);
    chownSync(target, uid, gid);
  }
}
