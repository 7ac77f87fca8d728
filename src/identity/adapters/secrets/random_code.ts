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

/** Without i, l, o and u: nothing that is mistaken for a digit, and few words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RECOVERY_CODE_LENGTH = 10;

/** Ten of 32 characters, every one equally likely: 50 bits. */
export function randomRecoveryCode(): string {
  const drawn = crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_LENGTH));
  return Array.from(drawn, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
