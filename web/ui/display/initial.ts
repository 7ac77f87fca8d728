/** Sixteen hues in two lightnesses, distinct enough to tell tiles apart. */
const HUES = 16;
const DEPTHS = [0.42, 0.54];
const CHROMA = 0.11;
export const TILE_COLOURS = HUES * DEPTHS.length;

/** The first two letters or digits of a service's name. */
export function initialOf(title: string): string {
  const [first = "?", second = ""] = title.match(/[\p{L}\p{N}]/gu) ?? [];
  return first.toUpperCase() + second.toLowerCase();
}

function wishOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % TILE_COLOURS;
}

/** Colours with enough contrast for white text. */
export function colourAt(index: number): string {
  const hue = ((index % HUES) * 360) / HUES;
  return `oklch(${DEPTHS[Math.floor(index / HUES)] ?? DEPTHS[0]} ${CHROMA} ${hue})`;
}

/**
 * A service's colour derives from its name, or is the next free one if a service with the same initials has it already:
 * within one visit, no two tiles look alike as long as there are colours left.
 */
export function tiles() {
  const indexes = new Map<string, number>();
  const taken = new Map<string, Set<number>>();
  return function tileOf(name: string, title: string): { letters: string; colour: string } {
    const letters = initialOf(title);
    const key = `${letters} ${name.toLowerCase()}`;
    let index = indexes.get(key);
    if (index === undefined) {
      const others = taken.get(letters) ?? new Set();
      index = wishOf(name);
      for (let tried = 0; others.has(index) && tried < TILE_COLOURS; tried += 1) index = (index + 1) % TILE_COLOURS;
      indexes.set(key, index);
      taken.set(letters, others.add(index));
    }
    return { letters, colour: colourAt(index) };
  };
}

export const tileOf = tiles();
