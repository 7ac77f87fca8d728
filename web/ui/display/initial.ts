/** Sixteen hues in two depths: far enough from each other to be told apart at a glance. */
const HUES = 16;
const DEPTHS = [0.42, 0.54];
const CHROMA = 0.11;
export const TILE_COLOURS = HUES * DEPTHS.length;

/** What stands on the tile of a service: the first two letters or digits of its name. */
export function initialOf(title: string): string {
  const [first = "?", second = ""] = title.match(/[\p{L}\p{N}]/gu) ?? [];
  return first.toUpperCase() + second.toLowerCase();
}

function wishOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % TILE_COLOURS;
}

/** White letters can be read on each. */
export function colourAt(index: number): string {
  const hue = ((index % HUES) * 360) / HUES;
  return `oklch(${DEPTHS[Math.floor(index / HUES)] ?? DEPTHS[0]} ${CHROMA} ${hue})`;
}

/**
 * Each service gets the colour that goes by its name, or the next one where another service with the same letters has
 * that already: of two that are seen in one visit none looks like the other, as long as there are colours.
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
