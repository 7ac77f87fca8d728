import * as v from "valibot";
import type { ErrorCode } from "./result.ts";

/** UTF-16 units that one character may need before NFC composition: no script needs more. */
const UNITS_PER_CHARACTER = 6;

/** Converts a limit in characters to a limit on the raw input, before it is composed or trimmed. */
export function typedMax(characters: number): number {
  return characters * UNITS_PER_CHARACTER;
}

/**
 * Every text input goes through this schema. The length, in UTF-16 units, is checked before anything else looks at the value:
 * the transformation aborts the pipe of a value that is too long, where a further check would still run. Halves of surrogate
 * pairs, which neither the database nor a mail can hold, become U+FFFD.
 */
export function text(max: number, missing: ErrorCode = "INVALID_INPUT", tooLong: ErrorCode = missing) {
  return v.pipe(
    v.string(missing),
    v.maxLength(max, tooLong),
    v.transform((short) => short.toWellFormed()),
  );
}

/** For fields with a single error for every invalid value: a text that is too long counts as empty. */
export function textOrEmpty(max: number, missing: ErrorCode = "INVALID_INPUT") {
  return v.pipe(
    v.string(missing),
    v.metadata({ maxLength: max }),
    v.transform((typed) => (typed.length > max ? "" : typed.toWellFormed())),
  );
}

/** Text that the database and JSON can hold: without NUL, and with U+FFFD for halves of surrogate pairs. */
export function storable(typed: string): string {
  return typed.replaceAll("\0", "").toWellFormed();
}

export function uuid(invalid: ErrorCode = "INVALID_INPUT") {
  return v.pipe(text(36, invalid), v.uuid(invalid));
}

const AT_AN_EDGE = /[\s\p{Cf}]/u;

/** Without spaces and invisible characters at both ends, such as direction marks, which are copied along with a text. */
export function trimmed(typed: string): string {
  let [start, end] = [0, typed.length];
  while (start < end && AT_AN_EDGE.test(typed.charAt(start))) start += 1;
  while (end > start && AT_AN_EDGE.test(typed.charAt(end - 1))) end -= 1;
  return typed.slice(start, end);
}

/** The same as a step of a schema. */
export const trim = v.transform(trimmed);

const MARK = "(?:(?!\\u034f)[\\p{M}\\uff9e\\uff9f])";
const LONG_RUN_OF_MARKS = new RegExp(`(${MARK}{30})(?=${MARK})`, "gu");

/**
 * `normalize` sorts the combining marks of each character in quadratic time. The Stream-Safe Text Process (Unicode UAX #15,
 * section 13) limits runs to 30 marks, more than any language has.
 */
export function normalised(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(LONG_RUN_OF_MARKS, "$1\u034f").normalize(form);
}
