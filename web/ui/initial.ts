/** How many tile colours `initial_tile.module.css` has. */
export const TILE_COLOURS = 8;

/** What stands on the tile of a service: the first letter or digit of its name. */
export function initialOf(title: string): string {
  return (/[\p{L}\p{N}]/u.exec(title)?.[0] ?? "?").toUpperCase();
}

/** The same colour for the same name, everywhere and for ever. */
export function colourOf(name: string): number {
  let sum = 0;
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % TILE_COLOURS;
}
