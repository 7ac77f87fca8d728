const CODES = 1_000_000;
/** Numbers from here on would make the first codes a little likelier than the last. */
const UNFAIR_FROM = 2 ** 32 - (2 ** 32 % CODES);

/** Six random digits, leading zeros kept, every one of the million equally likely. */
export function randomCode(): string {
  const drawn = new Uint32Array(1);
  for (;;) {
    const [number = UNFAIR_FROM] = crypto.getRandomValues(drawn);
    if (number < UNFAIR_FROM) return String(number % CODES).padStart(6, "0");
  }
}
