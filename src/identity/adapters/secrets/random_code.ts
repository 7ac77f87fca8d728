import { randomInt } from "node:crypto";

const CODES = 1_000_000;

/** Six random digits with leading zeros, uniformly distributed. */
export function randomCode(): string {
  return String(randomInt(CODES)).padStart(6, "0");
}

/** Without i, l, o and u: nothing that looks like a digit, and few accidental words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RECOVERY_CODE_LENGTH = 10;

/** Ten of 32 characters, uniformly distributed: 50 bits. */
export function randomRecoveryCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_LENGTH));
  return Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
