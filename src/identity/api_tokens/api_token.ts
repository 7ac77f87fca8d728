import type { ApiScope } from "../../shared/api_scopes.ts";

export const TOKENS_PER_ACCOUNT = 20;

const PREFIX = "bb_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The least that hold 256 bits, and 32. */
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
  /** Undefined: until it is revoked. */
  expiresAt: Date | undefined;
  lastUsedAt: Date | undefined;
  /** Where it was used last: /24 of IPv4, /48 of IPv6. */
  lastIpPrefix: string | undefined;
  /** Until when the requests that were handed out so far keep it busy, see `api_allowance.ts`. */
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

/** 256 random bits (base64url) as a token: a prefix and a CRC-32, by which scanners for leaked secrets can tell it. */
export function apiTokenOf(random: string): string {
  const bytes = [...atob(random.replaceAll("-", "+").replaceAll("_", "/"))].map((one) => one.charCodeAt(0));
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const body = inBase62(value, RANDOM_LENGTH);
  return `${PREFIX}${body}${checksum(body)}`;
}

/** Whether it can be one of ours at all: what was mistyped or made up is not looked up. */
export function isApiToken(text: string): boolean {
  const body = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return FORM.test(text) && text.endsWith(checksum(body));
}
