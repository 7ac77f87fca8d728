import { createHash } from "node:crypto";

/** The hashes in which data sets list addresses: SHA-1 or SHA-256 of the normalised address, in lower-case hex. */
export function addressHashes(address: string): { sha1: string; sha256: string } {
  const hex = (algorithm: "sha1" | "sha256") => createHash(algorithm).update(address).digest("hex");
  return { sha1: hex("sha1"), sha256: hex("sha256") };
}
