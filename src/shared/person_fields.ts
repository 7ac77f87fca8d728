import * as v from "valibot";
import { normaliseEmail } from "./email_address.ts";
import type { ErrorCode } from "./result.ts";

export const NAME_MAX = 60;
export const COMPANY_MAX = 100;

/** Control and bidi characters could forge the text around a name; addresses of pages would become links in our mails. */
const NAME_FORBIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069<>]|:\/\/|www\./iu;

/** In characters as people count them, not in UTF-16 units. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** A first or last name; `missing` is what an empty one is called. */
export function name(missing: ErrorCode) {
  return v.pipe(
    v.string(missing),
    v.trim(),
    v.normalize("NFC"),
    v.nonEmpty(missing),
    v.check((text) => lengthOf(text) <= NAME_MAX, "NAME_TOO_LONG"),
    v.check((text) => !NAME_FORBIDDEN.test(text), "NAME_INVALID"),
  );
}

/** A company's name; an empty one is none. */
export const company = v.pipe(
  v.string("NAME_INVALID"),
  v.trim(),
  v.normalize("NFC"),
  v.check((text) => lengthOf(text) <= COMPANY_MAX, "NAME_TOO_LONG"),
  v.check((text) => !NAME_FORBIDDEN.test(text), "NAME_INVALID"),
  v.transform((text) => (text === "" ? undefined : text)),
);

/** One mailbox, in the form by which it is compared. */
export const email = v.pipe(
  v.string("EMAIL_REQUIRED"),
  v.trim(),
  v.nonEmpty("EMAIL_REQUIRED"),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const address = normaliseEmail(dataset.value);
    if (address !== undefined) return address;
    addIssue({ message: "EMAIL_INVALID" });
    return NEVER;
  }),
);
