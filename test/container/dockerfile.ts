import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export type Instruction = { name: string; rest: string };
/** An image's runtime configuration. */
export type ImageConfig = {
  env: Record<string, string>;
  user: string;
  workdir: string;
  entrypoint: string[];
  cmd: string[];
  healthcheck: string[];
  volumes: string[];
  labels: Record<string, string>;
};

/** The instructions of a Dockerfile, one list per stage; those before the first stage are the first list. */
export function stagesOf(text: string): Instruction[][] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n");
  const stages: Instruction[][] = [[]];
  for (const line of lines.filter((found) => found.trim() !== "")) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

export const dockerfile = (): Instruction[][] => stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"));

/** Key-value pairs in the form `A=b C="d e"`. */
function pairs(rest: string): Record<string, string> {
  return Object.fromEntries(
    [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [name, quoted ?? plain ?? ""]),
  );
}

/** The result of the last stage, on a base that sets nothing but a path. */
export function configOf(stages: Instruction[][]): ImageConfig {
  const last = stages.at(-1) ?? [];
  const all = (wanted: string) => last.filter(({ name }) => name === wanted).map(({ rest }) => rest);
  const list = (text = "[]") => JSON.parse(text.slice(text.indexOf("["))) as string[];
  return {
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      ...Object.assign({}, ...all("ENV").map(pairs)),
    },
    user: all("USER").at(-1) ?? "",
    workdir: all("WORKDIR").at(-1) ?? "/",
    entrypoint: list(all("ENTRYPOINT").at(-1)),
    cmd: list(all("CMD").at(-1)),
    healthcheck: list(all("HEALTHCHECK").at(-1)),
    volumes: all("VOLUME"),
    labels: Object.assign({}, ...all("LABEL").map(pairs)),
  };
}
