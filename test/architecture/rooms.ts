// The rooms of `src/` and their imports. `bun test/architecture/rooms.ts` prints the picture in docs/architecture.md.
import { join } from "node:path";
import { readTree, type Sources, sourcesOf } from "./imports.ts";

/** From each room to those that it imports from. */
export type Arrows = Map<string, Set<string>>;

/** A top-level folder or file of `src/`. With `adapters`, those of a module are a separate room. */
function roomOf(path: string, adapters: boolean): string {
  const [, room = "", third, fourth] = path.split("/");
  return adapters && third === "adapters" && fourth !== undefined ? `${room}/adapters` : room;
}

export function arrowsOf(sources: Sources, { adapters }: { adapters: boolean }): Arrows {
  const arrows: Arrows = new Map();
  for (const { path, imports } of sources.values()) {
    if (!path.startsWith("src/")) continue;
    const from = roomOf(path, adapters);
    const targets = imports.map(({ target }) => target).filter((target) => target.startsWith("src/"));
    const others = targets.map((target) => roomOf(target, adapters)).filter((room) => room !== from);
    arrows.set(from, new Set([...(arrows.get(from) ?? []), ...others]));
  }
  return arrows;
}

/** The rooms in a cycle, and those on a path between two cycles. */
export function roomsInCircles(arrows: Arrows): string[] {
  const left = new Set(arrows.keys());
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const room of left) if (![...(arrows.get(room) ?? [])].some((to) => left.has(to))) left.delete(room);
  }
  return [...left];
}

function leadsTo(arrows: Arrows, from: string, to: string): boolean {
  return [...(arrows.get(from) ?? [])].some((next) => next === to || leadsTo(arrows, next, to));
}

/** A Mermaid flowchart. Arrows implied by a longer path are omitted. */
export function picture(arrows: Arrows): string {
  const lines = [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && leadsTo(arrows, other, to)))
      .map((to) => `  ${from} --> ${to}`),
  );
  return ["flowchart TD", ...lines.toSorted()].join("\n");
}

if (import.meta.main)
  console.log(picture(arrowsOf(sourcesOf(readTree(join(import.meta.dirname, "../.."), ["src"])), { adapters: true })));
