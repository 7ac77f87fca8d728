import { PRODUCT } from "../../shared/product.ts";
import type { ErrorCode } from "../../shared/result.ts";
import { normalised } from "../../shared/text.ts";
import type { CommonPasswords } from "../ports.ts";

const SIMILAR = 0.7;
const PART_MIN = 4;
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
 * Django's similarity rule (it shares 70 % of its characters with the value or one of its words), and it contains no word of
 * four or more characters.
 */
export function isSimilar(password: string, value: string): boolean {
  const folded = (text: string) => normalised(text, "NFKC").toLowerCase().slice(0, COMPARED_MAX);
  const typed = folded(password);
  const whole = folded(value);
  const parts = new Set([...whole.split(/[^\p{L}\p{N}_]+/u), whole]);
  return [...parts].some(
    (part) => part !== "" && (likeness(typed, part) >= SIMILAR || (part.length >= PART_MIN && typed.includes(part))),
  );
}

/** Twice the number of shared characters over the total: 1 for anagrams, 0 for nothing in common. */
export function likeness(one: string, other: string): number {
  const left = new Map<string, number>();
  for (const character of one) left.set(character, (left.get(character) ?? 0) + 1);
  let shared = 0;
  for (const character of other) {
    const count = left.get(character) ?? 0;
    if (count > 0) shared++;
    left.set(character, count - 1);
  }
  return (2 * shared) / ([...one].length + [...other].length);
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
