import { dictionary } from "@zxcvbn-ts/language-common";

const FILE = `${import.meta.dir}/../../src/identity/adapters/secrets/common_passwords.txt`;
/** The whole list, in lower case and without duplicates; short entries are passwords with a suffix of digits ("Dog12345"). */
export function listedPasswords(): string[] {
  return [...new Set((dictionary["passwords-common"] ?? []).map((entry) => String(entry).toLowerCase()))].sort();
}

/** The list as shipped. `bun test/identity/make_common_passwords.ts` regenerates it after an update of the package. */
export const shipped = Bun.file(FILE);

if (import.meta.main) await Bun.write(FILE, `${listedPasswords().join("\n")}\n`);
