const BYTES = 16;
const AT_ONCE = 256;
/** How many characters a nonce has. */
export const NONCE_LENGTH = 2 * BYTES;

let left = "";

/** A fresh one for every answer. Random bytes are drawn for many at once, as it takes as long as for one. */
export function newNonce(): string {
  if (left === "") left = Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES * AT_ONCE))).toString("hex");
  const nonce = left.slice(0, NONCE_LENGTH);
  left = left.slice(NONCE_LENGTH);
  return nonce;
}
