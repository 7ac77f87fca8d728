import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cipher, HashToken, Mac, NewToken } from "../shared/secrets.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_SECRET = 32;
const SECRET_FILE = "secret.key";

export const newToken: NewToken = () => randomBytes(32).toString("base64url");

export const hashToken: HashToken = (token) => hash("sha256", token, "hex");

/** The secret that was generated for this installation, or undefined without a file. */
export function readSecret(dataDir: string): string | undefined {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) return undefined;
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < MIN_SECRET)
    throw new Error(`Cannot use the secret in "${path}": it is shorter than ${MIN_SECRET} characters`);
  return secret;
}

/** Generates the secret of a new installation. */
export function makeSecret(dataDir: string): string {
  const secret = newToken();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, SECRET_FILE), `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}

/** HMAC and encryption with keys derived from the installation's secret, one per purpose. */
export function keysOf(secret: string): { mac: Mac; cipher: Cipher } {
  const key = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "breachbell", purpose, 32));
  const sealKey = key("seal");
  const macKey = key("mac");
  return {
    mac: (purpose, value) => createHmac("sha256", macKey).update(`${purpose}\0${value}`).digest("base64url"),
    cipher: {
      encrypt(plain) {
        const nonce = randomBytes(NONCE_BYTES);
        const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
        return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
          "base64url",
        );
      },
      decrypt(sealed) {
        const bytes = Buffer.from(sealed, "base64url");
        const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      },
    },
  };
}
