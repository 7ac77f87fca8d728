const BYTES = 16;
const AT_ONCE = 256;
/** Length of a nonce in characters. */
export const NONCE_LENGTH = 2 * BYTES;

let left = "";

/** A fresh nonce for every answer. Random bytes are drawn in batches, as a batch costs as much as one draw. */
export function newNonce(): string {
  if (left === "") left = Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES * AT_ONCE))).toString("hex");
  const nonce = left.slice(0, NONCE_LENGTH);
  left = left.slice(NONCE_LENGTH);
  return nonce;
}
