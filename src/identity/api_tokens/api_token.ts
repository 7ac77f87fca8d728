import type { ApiScope } from "../../shared/api_scopes.ts";

export const TOKENS_PER_ACCOUNT = 20;

const PREFIX = "bb_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Base64url length of 256 bits, and base62 length of 32. */
const RANDOM_LENGTH = 43;
const CHECK_LENGTH = 6;
const FORM = /^bb_[0-9A-Za-z]{49}$/;
const CRC32 = 0xedb88320;

/** A token with which a program acts for an account. Only its hash is stored. */
export type ApiToken = {
  id: string;
  accountId: string;
  tokenHash: string;
  name: string;
  scopes: ApiScope[];
  createdAt: Date;
  /** Undefined: valid until it is revoked. */
  expiresAt: Date | undefined;
  lastUsedAt: Date | undefined;
  /** Network of its last use: /24 of IPv4, /48 of IPv6. */
  lastIpPrefix: string | undefined;
  /** State of the rate limit, see `api_allowance.ts`. */
  busyUntil: Date;
};

function inBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = `${DIGITS[Number(rest % 62n)]}${text}`;
  return text;
}

function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ CRC32 : crc >>> 1;
  }
  return inBase62(BigInt(~crc >>> 0), CHECK_LENGTH);
}

/** Formats 256 random bits (base64url) as a token with a prefix and a CRC-32, so that secret scanners recognise it. */
export function apiTokenOf(random: string): string {
  const bytes = [...atob(random.replaceAll("-", "+").replaceAll("_", "/"))].map((one) => one.charCodeAt(0));
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const body = inBase62(value, RANDOM_LENGTH);
  return `${PREFIX}${body}${checksum(body)}`;
}

/** Whether the text has a token's form; others need no lookup. */
export function isApiToken(text: string): boolean {
  const body = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return FORM.test(text) && text.endsWith(checksum(body));
}
