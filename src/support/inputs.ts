import * as v from "valibot";
import { company, email, lengthOf, name } from "../shared/person_fields.ts";
import type { ErrorCode } from "../shared/result.ts";
import { text as bounded, typedMax, uuid } from "../shared/text.ts";
import { normalised } from "../shared/unicode.ts";

export const TICKET_TYPES = ["technical", "information", "administrative", "other"] as const;
export const FEEDBACK_TYPES = ["suggestion", "improvement", "critique"] as const;
export const PRIORITIES = ["low", "medium", "high", "critical"] as const;
export const TICKET_STATES = ["open", "answered", "closed"] as const;
export const TICKET_KINDS = ["ticket", "feedback"] as const;

export const SUBJECT_MAX = 120;
export const DESCRIPTION_MAX = 4000;
const LAST_PAGE = 10_000;
const SEARCH_MAX = 40;

/**
 * Bidirectional overrides and the byte order mark: they disguise the text around them. Marks needed by right-to-left text are
 * kept.
 */
const MISLEADING = /[\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Control characters other than line feed and tab. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

/** Normalises text: line feeds only, no misleading characters, trimmed. */
export function plain(text: string): string {
  const shown = text
    .replaceAll(/\r\n?|\u2028|\u2029/g, "\n")
    .replaceAll(CONTROL, "")
    .replaceAll(MISLEADING, "");
  return normalised(shown, "NFC")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function text(missing: ErrorCode, most: number, inOneLine: boolean) {
  return v.pipe(
    bounded(typedMax(most), missing, "TEXT_TOO_LONG"),
    v.transform((typed) => (inOneLine ? plain(typed).replaceAll(/\s+/g, " ") : plain(typed))),
    v.nonEmpty(missing),
    v.check((meant) => lengthOf(meant) <= most, "TEXT_TOO_LONG"),
  );
}

const description = text("DESCRIPTION_REQUIRED", DESCRIPTION_MAX, false);

/** Idempotency key, created once by the form. */
const key = uuid();

const person = {
  firstName: name("FIRST_NAME_REQUIRED"),
  lastName: name("LAST_NAME_REQUIRED"),
  email,
  company: v.optional(company),
};
const privacy = v.literal(true, "PRIVACY_REQUIRED");

const REQUIRED: Record<string, ErrorCode> = {
  firstName: "FIRST_NAME_REQUIRED",
  lastName: "LAST_NAME_REQUIRED",
  email: "EMAIL_REQUIRED",
  type: "TYPE_REQUIRED",
  priority: "PRIORITY_REQUIRED",
  subject: "SUBJECT_REQUIRED",
  description: "DESCRIPTION_REQUIRED",
  text: "MESSAGE_REQUIRED",
  privacy: "PRIVACY_REQUIRED",
};

/** The error for a missing or unknown key of an object. */
function misfit({ expected, path }: v.StrictObjectIssue): ErrorCode {
  return (expected === "never" ? undefined : REQUIRED[String(path?.[0]?.key)]) ?? "INVALID_INPUT";
}

/** `POST /api/support/tickets`. All invalid fields are reported together. */
export const ticketInput = v.strictObject(
  {
    ...person,
    type: v.picklist(TICKET_TYPES, "TYPE_REQUIRED"),
    priority: v.picklist(PRIORITIES, "PRIORITY_REQUIRED"),
    subject: text("SUBJECT_REQUIRED", SUBJECT_MAX, true),
    description,
    privacy,
    key,
  },
  misfit,
);
export type TicketInput = v.InferOutput<typeof ticketInput>;

/** `POST /api/support/feedback`. */
export const feedbackInput = v.strictObject(
  { ...person, type: v.picklist(FEEDBACK_TYPES, "TYPE_REQUIRED"), description, privacy, key },
  misfit,
);
export type FeedbackInput = v.InferOutput<typeof feedbackInput>;

/** A message about a ticket, from either side. */
export const postInput = v.strictObject({ text: text("MESSAGE_REQUIRED", DESCRIPTION_MAX, false), key }, misfit);
export type PostInput = v.InferOutput<typeof postInput>;

const page = v.optional(
  v.pipe(bounded(9), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(LAST_PAGE), v.integer()),
  "1",
);

/** Query of `GET /api/support/tickets`. */
export const ownTicketsQuery = v.strictObject({ kind: v.picklist(TICKET_KINDS), page });

/** Query of `GET /api/staff/tickets`; `search` is a reference, or how one begins. */
export const staffTicketsQuery = v.strictObject({
  kind: v.optional(v.picklist(TICKET_KINDS)),
  state: v.optional(v.picklist(TICKET_STATES)),
  type: v.optional(v.picklist([...TICKET_TYPES, ...FEEDBACK_TYPES])),
  priority: v.optional(v.picklist(PRIORITIES)),
  search: v.optional(bounded(SEARCH_MAX), ""),
  page,
});

/** `POST /api/staff/tickets/:reference/state`. */
export const stateInput = v.strictObject({ state: v.picklist(TICKET_STATES) });
