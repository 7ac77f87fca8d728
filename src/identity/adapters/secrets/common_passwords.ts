import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommonPasswords } from "../../ports.ts";

/**
 * The list that ships with the service: `common_passwords.txt`, one a line, taken from `@zxcvbn-ts/language-common`
 * (copyright Dan Wheeler, Dropbox and @zxcvbn-ts, MIT licence) by `test/identity/make_common_passwords.ts`.
 */
export function commonPasswords(): CommonPasswords {
  // Searched as one string: a set of its lines would take many times the memory, for a rare question.
  const lines = `\n${readFileSync(join(import.meta.dirname, "common_passwords.txt"), "utf8").trim()}\n`;
  return { has: (password) => !password.includes("\n") && lines.includes(`\n${password}\n`) };
}
