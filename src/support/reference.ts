/**
 * Without vowels, so that no words result, and without characters that are easily confused: 0 O, 1 I L, 5 S, 8 B, V U, and Z
 * beside 2.
 */
const ALPHABET = "234679CDFGHJKMNPQRTWXY";
const LENGTH = 8;
const HALF = 4;
const PREFIX = "BB";
/** A prefix that matches no reference. */
const NO_REFERENCE = "-";

/** The public reference of a ticket, such as BB-7K3F-92QX, derived from a random token. */
export function referenceFrom(token: string): string {
  let random = 0n;
  for (const character of token) random = random * 131n + BigInt(character.codePointAt(0) ?? 0);
  const base = BigInt(ALPHABET.length);
  const letters = Array.from(
    { length: LENGTH },
    (_, place) => ALPHABET[Number((random / base ** BigInt(place)) % base)],
  );
  return written(letters.join(""));
}

function written(letters: string): string {
  return [PREFIX, letters.slice(0, HALF), letters.slice(HALF)].filter((part) => part !== "").join("-");
}

/** Normalises a typed prefix for searching; "" for empty input. Case, spaces and hyphens are ignored. */
export function referencePrefix(typed: string): string {
  const compact = typed.toUpperCase().replaceAll(/[\s\p{Pd}_.#]/gu, "");
  if (compact === "") return "";
  if (PREFIX.startsWith(compact)) return PREFIX;
  const letters = compact.startsWith(PREFIX) ? compact.slice(PREFIX.length) : compact;
  return letters.length <= LENGTH && [...letters].every((letter) => ALPHABET.includes(letter))
    ? written(letters)
    : NO_REFERENCE;
}

/** Normalises a reference; undefined if it cannot be one. */
export function referenceOf(typed: string): string | undefined {
  const prefix = referencePrefix(typed);
  return prefix.length === written("x".repeat(LENGTH)).length ? prefix : undefined;
}
