import * as v from "valibot";
import {
  ALERT_SORTS,
  ALERT_STATES,
  DIRECTIONS,
  HANDLE_REASONS,
  LAST_PAGE,
  LONGEST_CATEGORY,
  LONGEST_NOTE,
  LONGEST_WORDS,
  MOST_ALERTS_AT_ONCE,
  PASSWORD_CHANGES,
} from "../shared/alert.ts";
import { BREACH_FLAGS } from "../shared/breach.ts";
import { EMAIL_TYPED_MAX } from "../shared/email_address.ts";
import { LANGUAGES } from "../shared/language.ts";
import { LETTER_ASKS, LETTER_COUNTRIES, LONGEST_COMPANY } from "../shared/letters.ts";
import { text, textOrEmpty, trim, typedMax, uuid } from "../shared/text.ts";

/** The longest name in DNS. */
const LONGEST_SITE = 253;

// Postgres rejects NUL in parameters.
const words = (longest: number) => v.optional(v.pipe(text(longest), v.excludes("\0", "INVALID_INPUT"), trim), "");

const filter = {
  state: v.optional(v.picklist(ALERT_STATES), "all"),
  search: words(LONGEST_WORDS),
  address: words(LONGEST_WORDS),
  /** The key of a data category. */
  category: words(LONGEST_CATEGORY),
  flag: v.optional(v.picklist(BREACH_FLAGS)),
  sort: v.optional(v.picklist(ALERT_SORTS), "found"),
  direction: v.optional(v.picklist(DIRECTIONS)),
};

export const alertQuery = v.object({
  ...filter,
  page: v.optional(v.pipe(text(9), v.digits(), v.toNumber(), v.minValue(1), v.maxValue(LAST_PAGE)), "1"),
});

export const csvQuery = v.object({ ...filter, language: v.picklist(LANGUAGES) });

/** The version of the alert that the user saw. */
const version = v.pipe(v.number("INVALID_INPUT"), v.integer("INVALID_INPUT"));
const why = {
  reason: v.nullish(v.picklist(HANDLE_REASONS)),
  note: v.nullish(
    v.pipe(
      text(typedMax(LONGEST_NOTE), "INVALID_INPUT", "NOTE_TOO_LONG"),
      v.excludes("\0", "INVALID_INPUT"),
      trim,
      v.maxLength(LONGEST_NOTE, "NOTE_TOO_LONG"),
    ),
  ),
};
const several = v.pipe(
  v.array(v.strictObject({ id: uuid(), version })),
  v.nonEmpty("FIELD_REQUIRED"),
  v.maxLength(MOST_ALERTS_AT_ONCE, "TOO_MANY_ALERTS"),
  v.check((list) => new Set(list.map(({ id }) => id.toLowerCase())).size === list.length, "INVALID_INPUT"),
);

export const alertChange = v.strictObject({ version });
export const handleInput = v.strictObject({ version, ...why });
export const reopenAllInput = v.strictObject({ alerts: several });
export const handleAllInput = v.strictObject({ alerts: several, ...why });

export const stepInput = v.strictObject({
  step: text(100),
  done: v.boolean("INVALID_INPUT"),
});
/** When the password was last changed. */
export const passwordChangeInput = v.strictObject({ changed: v.picklist(PASSWORD_CHANGES, "INVALID_INPUT") });
/** A letter that was sent to a company. */
export const letterInput = v.strictObject({
  company: v.pipe(
    text(typedMax(LONGEST_COMPANY), "FIELD_REQUIRED", "TEXT_TOO_LONG"),
    v.excludes("\0", "INVALID_INPUT"),
    trim,
    v.nonEmpty("FIELD_REQUIRED"),
    v.maxLength(LONGEST_COMPANY, "TEXT_TOO_LONG"),
  ),
  asks: v.pipe(
    v.array(v.picklist(LETTER_ASKS, "INVALID_INPUT")),
    v.nonEmpty("FIELD_REQUIRED"),
    v.maxLength(LETTER_ASKS.length, "INVALID_INPUT"),
    v.transform((asks) => [...new Set(asks)]),
  ),
  country: v.picklist(LETTER_COUNTRIES, "INVALID_INPUT"),
  language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
  sentOn: v.pipe(text(10, "FIELD_REQUIRED", "INVALID_INPUT"), v.isoDate("INVALID_INPUT")),
});
export const answeredInput = v.strictObject({ answered: v.boolean("INVALID_INPUT") });
/** Until when the notifications have been seen. */
export const seenInput = v.strictObject({
  until: v.pipe(
    text(40),
    v.isoTimestamp("INVALID_INPUT"),
    v.transform((iso) => new Date(iso)),
    v.check((at) => !Number.isNaN(at.getTime()), "INVALID_INPUT"),
  ),
});

const ownAddress = textOrEmpty(EMAIL_TYPED_MAX);
/** Asks for pastes and stealer logs of the account's own address. */
export const askTracesInput = v.strictObject({ address: ownAddress });
/** One site of a stealer log, whose password was changed or not. */
export const tickSiteInput = v.strictObject({
  address: ownAddress,
  site: v.pipe(text(LONGEST_SITE), v.excludes("\0", "INVALID_INPUT")),
  done: v.boolean("INVALID_INPUT"),
});
