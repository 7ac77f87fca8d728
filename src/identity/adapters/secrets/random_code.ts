const CODES = 1_000_000;
/** Rejected for uniformity: numbers from here on would make the first codes more likely (modulo bias). */
const UNFAIR_FROM = 2 ** 32 - (2 ** 32 % CODES);

/** Six random digits with leading zeros, uniformly distributed. */
export function randomCode(): string {
  const random = new Uint32Array(1);
  for (;;) {
    const [number = UNFAIR_FROM] = crypto.getRandomValues(random);
    if (number < UNFAIR_FROM) return String(number % CODES).padStart(6, "0");
  }
}

/** Without i, l, o and u: nothing that looks like a digit, and few accidental words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RECOVERY_CODE_LENGTH = 10;

/** Ten of 32 characters, uniformly distributed: 50 bits. */
export function randomRecoveryCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_LENGTH));
  return Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
