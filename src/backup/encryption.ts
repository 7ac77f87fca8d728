import { open, readFile } from "node:fs/promises";
import { refused } from "./format.ts";

/** How a file in the format of age (https://age-encryption.org/v1) begins. */
const START = "age-encryption.org/v1\n";
export const ENCRYPTED = ".age";

/** Writes what the stream gives to a new file of the owner alone; resolves once it is on disk. */
async function writeAll(to: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  await using handle = await open(to, "wx", 0o600);
  for await (const bytes of stream) await handle.writeFile(bytes);
  await handle.sync();
}

export async function isEncrypted(file: string): Promise<boolean> {
  return (await Bun.file(file).slice(0, START.length).text()) === START;
}

/** `recipient`: a public key as `age-keygen` prints it. */
export async function encryptFile(from: string, to: string, recipient: string): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  await writeAll(to, await encrypter.encrypt(Bun.file(from).stream()));
}

/** `identity`: a file with the private key, as `age-keygen` writes it. Throws a refusal when the key is another one. */
export async function decryptFile(from: string, to: string, identity: string): Promise<void> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  const lines = (
    await readFile(identity, "utf8").catch((cause) => {
      throw refused(`Cannot read the private key "${identity}"`, cause);
    })
  ).split("\n");
  const [key] = lines.filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (key === undefined) throw refused(`There is no private key of age in "${identity}"`);
  try {
    decrypter.addIdentity(key.trim());
    await writeAll(to, await decrypter.decrypt(Bun.file(from).stream()));
  } catch (cause) {
    throw refused(`Cannot decrypt "${from}": the key in "${identity}" is not the one, or the file is damaged`, cause);
  }
}
