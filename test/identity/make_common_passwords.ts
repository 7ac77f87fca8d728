import { dictionary } from "@zxcvbn-ts/language-common";

const FILE = `${import.meta.dir}/../../src/identity/adapters/secrets/common_passwords.txt`;
const PASSWORD_MIN = 8;
const WORD_MIN = 6;
const FREQUENT = 10_000;

/**
 * The relevant entries of the list: those of eight or more characters, which can be a whole password, and among the
 * most frequent ones also shorter words, which can be a password with a suffix of digits ("Dragon1234").
 */
export function relevantPasswords(): string[] {
  const ranked = (dictionary["passwords-common"] ?? []).map((entry) => String(entry).toLowerCase());
  const long = ranked.filter((entry) => entry.length >= PASSWORD_MIN);
  const words = ranked.slice(0, FREQUENT).filter((entry) => entry.length >= WORD_MIN && /^\p{L}+$/u.test(entry));
  return [...new Set([...long, ...words])].sort();
}

/** The list as shipped. `bun test/identity/make_common_passwords.ts` regenerates it after an update of the package. */
export const shipped = Bun.file(FILE);

if (import.meta.main) await Bun.write(FILE, `${relevantPasswords().join("\n")}\n`);
