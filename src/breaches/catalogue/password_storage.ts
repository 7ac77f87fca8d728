import { dataClassKey, type PasswordStorage } from "../../shared/breach.ts";
import { remembered } from "../../shared/remembered.ts";
import type { Breach } from "./breach.ts";

/** Data classes that are passwords. */
const PASSWORDS = ["passwords", "historical-passwords"];

const READABLE = "(?:(?:plain|clear)[ -]?text|in the clear|unencrypted|unhashed)";
/** Descriptions mention other things in plain text, too. */
const OTHER_THING = "hints?|questions?|answers?|cards?|messages?|back to";
const PLAIN = [
  // "plain text or hashed passwords"
  new RegExp(`\\b${READABLE}(?: \\w+){0,3} "?pass(?:word|code)s?\\b(?! hint)`, "i"),
  // "passwords stored as both MD5 hashes and plain text"
  new RegExp(`\\bpasswords?\\b(?:(?!\\b(?:${OTHER_THING})\\b)[^;])*\\b${READABLE}\\b(?! (?:password )?hint)`, "i"),
  /\b(?:cracked|dehashed) password(?:s\b| pairs)/i,
];

/** Deliberately slow hashes, with which good passwords are hardly found. */
const SLOW = "(?:bcrypt|scrypt|argon2\\w*|pbkdf2)";
const STRONG = new RegExp(`\\b${SLOW}\\b`, "i");
/** Phrases that mention another way of storage besides the slow hash. */
const HEDGED = [
  new RegExp(`\\b(?:most(?:ly)?|majority|newer|many|various|several|different|mix(?:ture)?)\\b[^,.;]*\\b${SLOW}`, "i"),
  new RegExp(
    `\\b${SLOW}\\b[^,.;]{0,30}\\b(?:or|and) (?:an? )?(?:other|older|unknown) (?:\\w+ )?(?:hash|format|algorithm)`,
    "i",
  ),
];

/** Fast hashes, salted or not, and software known to use them. */
const WEAK = [
  /\bmd5(?! hashes of (?:their )?answers)|\bsha-?\d|\b(?:3|triple[ -])?des(?:crypt)?\b|\b(?:phpass|base64|ntlm)\b/i,
  /\b(?:mysql|mybb|vbulletin|phpbb|django|wordpress)\b(?: \w+){0,2} hash/i,
  /\bweak(?:ly)?\b[^.]{0,25}(?:hash|implementation|algorithm|encrypt)|\bcryptography was poorly/i,
];

function sentencesOf(html: string): string[] {
  const text = html.replace(/<[^>]*>/g, "").replaceAll("&quot;", '"');
  return text.split(/(?<=[.!?]["”)]?)\s+/);
}

/**
 * The storage according to a description. If it names several ways the weakest counts, as it is unknown which applies to whom.
 */
const storageNamed = remembered((description): PasswordStorage => {
  const sentences = sentencesOf(description);
  const says = (patterns: RegExp[]) => sentences.some((sentence) => patterns.some((pattern) => pattern.test(sentence)));
  if (says(PLAIN)) return "plain";
  if (says(WEAK)) return "weak";
  return says([STRONG]) && !says(HEDGED) ? "strong" : "unknown";
});

/** "unknown" never overrides another value. */
const FROM_WEAKEST: PasswordStorage[] = ["plain", "weak", "strong", "unknown"];

type Storing = Pick<Breach, "dataClasses" | "description" | "storageSaid">;

/** The weaker of a source's field and its description; null without passwords among the data. */
export function storageOf({ dataClasses, description, storageSaid }: Storing): PasswordStorage | null {
  if (!dataClasses.some((label) => PASSWORDS.includes(dataClassKey(label)))) return null;
  const named = storageNamed(description);
  return FROM_WEAKEST.find((storage) => storage === named || storage === storageSaid) ?? "unknown";
}
