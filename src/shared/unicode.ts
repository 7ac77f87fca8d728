/** Text that the database and JSON can hold: without NUL, and with U+FFFD for halves of surrogate pairs. */
export function storable(typed: string): string {
  return typed.replaceAll("\0", "").toWellFormed();
}

const AT_AN_EDGE = /[\s\p{Cf}]/u;

/** Without spaces and invisible characters at both ends, such as direction marks, which are copied along with a text. */
export function trimmed(typed: string): string {
  let [start, end] = [0, typed.length];
  while (start < end && AT_AN_EDGE.test(typed.charAt(start))) start += 1;
  while (end > start && AT_AN_EDGE.test(typed.charAt(end - 1))) end -= 1;
  return typed.slice(start, end);
}

const MARK = "(?:(?!\\u034f)[\\p{M}\\uff9e\\uff9f])";
const LONG_RUN_OF_MARKS = new RegExp(`(${MARK}{30})(?=${MARK})`, "gu");

/**
 * `normalize` sorts the combining marks of each character in quadratic time. The Stream-Safe Text Process (Unicode UAX #15,
 * section 13) limits runs to 30 marks, more than any language has.
 */
export function normalised(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(LONG_RUN_OF_MARKS, "$1\u034f").normalize(form);
}
