import { expect, test } from "bun:test";
import { NONCE_LENGTH, newNonce } from "../../src/http/nonce.ts";

test("newNonce() never repeats, and has 128 random bits", () => {
  const nonces = Array.from({ length: 2000 }, newNonce);
  expect(new Set(nonces).size).toBe(2000);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(NONCE_LENGTH).toBe(32);
});
