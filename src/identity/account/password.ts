import { PRODUCT } from "../../shared/product.ts";
import { type ErrorCode, fail, type Result } from "../../shared/result.ts";
import { normalised } from "../../shared/unicode.ts";
import type { CommonPasswords, IdentityDeps, User } from "../ports.ts";

const SIMILAR = 0.7;
const PART_MIN = 4;
/** A password that is this long without the word is a good one, whatever the word adds. */
const REST_MIN = 16;
/** Shorter pieces are shared by chance. */
const PIECE_MIN = 3;
const COMPARED_MAX = 128;
const OWN_WORDS = [PRODUCT.toLowerCase(), "breach", "alert"];
const LEET: Record<string, string> = { "0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s" };

export type PasswordWeakness = Extract<ErrorCode, "PASSWORD_TOO_COMMON" | `PASSWORD_SIMILAR_${string}`>;
type Person = { email: string; firstName: string; lastName: string };

/** Why a well-formed password is easy to guess, for somebody who knows the person or for anybody; undefined for a good one. */
export function weaknessOf(
  { password, ...person }: Person & { password: string },
  { commonPasswords, hostName }: { commonPasswords: CommonPasswords; hostName: string },
): PasswordWeakness | undefined {
  if (isSimilar(password, person.email)) return "PASSWORD_SIMILAR_EMAIL";
  if (isSimilar(password, person.firstName)) return "PASSWORD_SIMILAR_FIRST_NAME";
  if (isSimilar(password, person.lastName)) return "PASSWORD_SIMILAR_LAST_NAME";
  return isCommon(password, commonPasswords, hostName) ? "PASSWORD_TOO_COMMON" : undefined;
}

/**
 * The hash of a new password, if it is good enough, did not become known through a breach, where that is asked, and is another one
 * than before.
 */
export async function hashNew(
  { passwordHash, ...person }: Person & Pick<User, "passwordHash">,
  password: string,
  deps: Pick<IdentityDeps, "commonPasswords" | "hostName" | "breachedPasswords" | "passwords">,
): Promise<Result<string, "INVALID_INPUT" | "PASSWORD_UNCHANGED" | "BUSY">> {
  const { breachedPasswords, passwords } = deps;
  let weakness = weaknessOf({ ...person, password }, deps);
  if (!weakness && (await breachedPasswords?.has(password))) weakness = "PASSWORD_TOO_COMMON";
  if (weakness) return fail("INVALID_INPUT", { fields: { password: weakness } });
  const compared = await passwords.verify(password, passwordHash);
  if (!compared.ok) return compared;
  if (compared.value.matches) return fail("PASSWORD_UNCHANGED", { fields: { password: "PASSWORD_UNCHANGED" } });
  return passwords.hash(password);
}

/** Without case, accents and compatibility forms. */
function folded(text: string): string {
  const plain = normalised(text, "NFKD").replaceAll(/\p{M}/gu, "");
  return plain.toLowerCase().slice(0, COMPARED_MAX);
}

/**
 * Whether the password is built from the value, forwards or backwards: it contains a word of four or more characters and little
 * else, or most of it consists of pieces that it shares with the value or one of its words. The words of an address are those of its
 * local part and the labels of its domain.
 */
export function isSimilar(password: string, value: string): boolean {
  const typed = folded(password);
  const backwards = [...typed].toReversed().join("");
  const whole = folded(value);
  const words = new Set([...whole.split(/[^\p{L}\p{N}]+/u), whole]);
  const isMadeOf = (text: string, word: string) =>
    (word.length >= PART_MIN && text.includes(word) && text.length - word.length < REST_MIN) ||
    likeness(text, word) >= SIMILAR;
  return [...words].some((word) => isMadeOf(typed, word) || isMadeOf(backwards, word));
}

/**
 * Twice the length of the shared pieces over the total length: 1 for equal texts, 0 for nothing in common. Pieces are contiguous, in
 * the same order in both texts, and at least three characters long (Ratcliff and Obershelp's measure, as in Python's `difflib`).
 */
export function likeness(one: string, other: string): number {
  const length = one.length + other.length;
  return length === 0 ? 0 : (2 * sharedLength(one, other)) / length;
}

function sharedLength(one: string, other: string): number {
  const { at, there, length } = longestShared(one, other);
  if (length < PIECE_MIN) return 0;
  const before = sharedLength(one.slice(0, at), other.slice(0, there));
  return before + length + sharedLength(one.slice(at + length), other.slice(there + length));
}

/** The first of the longest pieces that both texts have, and where it begins. */
function longestShared(one: string, other: string): { at: number; there: number; length: number } {
  let longest = { at: 0, there: 0, length: 0 };
  let above: number[] = [];
  for (let i = 0; i < one.length; i++) {
    const row: number[] = [];
    for (let j = 0; j < other.length; j++) {
      const length = one[i] === other[j] ? (above[j - 1] ?? 0) + 1 : 0;
      row.push(length);
      if (length > longest.length) longest = { at: i - length + 1, there: j - length + 1, length };
    }
    above = row;
  }
  return longest;
}

/** In the list, or derived from an entry (or from the service's name) by appended digits or by digits in place of letters. */
export function isCommon(password: string, commonPasswords: CommonPasswords, hostName: string): boolean {
  const own = [...OWN_WORDS, hostName, ...hostName.split(".").filter((label) => label.length >= PART_MIN)];
  return variantsOf(password).some((variant) => commonPasswords.has(variant) || own.includes(variant));
}

function variantsOf(password: string): string[] {
  const whole = normalised(password, "NFKC").trim().toLowerCase();
  const letters = (text: string, one: string) => text.replaceAll(/[013457@$!]/g, (sign) => LEET[sign] ?? one);
  return [whole, whole.replace(/[!.?\d]+$/, "")].flatMap((text) => [text, letters(text, "i"), letters(text, "l")]);
}
