import * as v from "valibot";
import type { ErrorCode } from "./result.ts";
import { trimmed } from "./unicode.ts";

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

export function uuid(invalid: ErrorCode = "INVALID_INPUT") {
  return v.pipe(text(36, invalid), v.uuid(invalid));
}

/** `trimmed` as a step of a schema. */
export const trim = v.transform(trimmed);
