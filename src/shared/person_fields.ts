import * as v from "valibot";
import { EMAIL_TYPED_MAX, normaliseEmail } from "./email_address.ts";
import type { ErrorCode } from "./result.ts";
import { text, trim, typedMax } from "./text.ts";
import { normalised } from "./unicode.ts";

export const NAME_MAX = 60;
export const COMPANY_MAX = 100;

/**
 * Control characters and directional overrides could forge the text around a name; URLs would become links in our mails. Direction
 * marks and joiners belong to names in Arabic, Hebrew, Persian and others.
 */
const NAME_FORBIDDEN = /[\p{Cc}\ufffd\u2028-\u202e\u2066-\u2069<>]|:\/\/|www\./iu;

/** Length in Unicode code points rather than UTF-16 units. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** A first or last name; `missing` is the error code for an empty one. */
export function name(missing: ErrorCode) {
  return v.pipe(
    text(typedMax(NAME_MAX), missing, "NAME_TOO_LONG"),
    trim,
    v.transform((typed) => normalised(typed, "NFC")),
    v.nonEmpty(missing),
    v.check((meant) => lengthOf(meant) <= NAME_MAX, "NAME_TOO_LONG"),
    v.check((meant) => !NAME_FORBIDDEN.test(meant), "NAME_INVALID"),
  );
}

/** An optional company name; an empty text means none. */
export const company = v.pipe(
  text(typedMax(COMPANY_MAX), "NAME_INVALID", "NAME_TOO_LONG"),
  trim,
  v.transform((typed) => normalised(typed, "NFC")),
  v.check((meant) => lengthOf(meant) <= COMPANY_MAX, "NAME_TOO_LONG"),
  v.check((meant) => !NAME_FORBIDDEN.test(meant), "NAME_INVALID"),
  v.transform((meant) => (meant === "" ? undefined : meant)),
);

/** One email address, in its normalised form. */
export const email = v.pipe(
  text(EMAIL_TYPED_MAX, "EMAIL_REQUIRED", "EMAIL_INVALID"),
  trim,
  v.nonEmpty("EMAIL_REQUIRED"),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const address = normaliseEmail(dataset.value);
    if (address !== undefined) return address;
    addIssue({ message: "EMAIL_INVALID" });
    return NEVER;
  }),
);
