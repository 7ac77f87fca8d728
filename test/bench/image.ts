import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { imageForTests, isSkipped } from "../container/image.ts";
import { round, tell } from "./figures.ts";

const BOUND_MB = 250;

/**
 * The container's file system: Bun, the libraries that it needs (of this machine, instead of the base image's), and
 * ours.
 */
export function image(): void {
  if (isSkipped("image")) throw new Error("The image cannot be put together on this machine");
  const { root, remove } = imageForTests();
  const sizes = new Map<number, number>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const { ino, size } = lstatSync(join(entry.parentPath, entry.name));
    if (entry.isFile()) sizes.set(ino, size);
  }
  remove();
  const figure = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6;
  tell({
    line: "image",
    unit: "MB",
    files: sizes.size,
    figure: round(figure, 1),
    bound: BOUND_MB,
    pass: figure <= BOUND_MB,
  });
}
