import * as v from "valibot";
import { byChannel, CHANNELS, contactLists, contactRequired } from "../shared/contacts.ts";
import { EMAIL_TYPED_MAX, normaliseEmail } from "../shared/email_address.ts";
import { LANGUAGES } from "../shared/language.ts";
import { text, trim, uuid } from "../shared/text.ts";

/** How many addresses can be added or removed in one request. */
export const MAX_BULK = 1000;

export const MAX_BULK_TEXT = 60_000;

const address = v.pipe(
  text(EMAIL_TYPED_MAX, "ADDRESS_REQUIRED", "EMAIL_INVALID"),
  trim,
  v.nonEmpty("ADDRESS_REQUIRED"),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const normal = normaliseEmail(dataset.value);
    if (normal !== undefined) return normal;
    addIssue({ message: "EMAIL_INVALID" });
    return NEVER;
  }),
);

const typedLists = v.partial(v.object(byChannel(() => v.array(v.any()))));

/** A list stands for a selected method, and needs at least one contact. */
const contacts = v.pipe(
  v.unknown(),
  v.rawCheck(({ dataset, addIssue }) => {
    const typed = dataset.value;
    if (typed === undefined) addIssue({ message: "METHOD_REQUIRED" });
    if (!v.is(typedLists, typed)) return;
    const chosen = CHANNELS.filter((channel) => typed[channel] !== undefined);
    if (chosen.length === 0) addIssue({ message: "METHOD_REQUIRED" });
    for (const channel of chosen.filter((name) => typed[name]?.length === 0)) {
      const path = { type: "object", origin: "value", input: typed, key: channel, value: typed[channel] } as const;
      addIssue({ message: contactRequired(channel), path: [path] });
    }
  }),
  contactLists,
);

const language = v.picklist(LANGUAGES, "LANGUAGE_REQUIRED");
const owner = v.boolean("INVALID_INPUT");
/** The language of the request to the owner; the account's messages have their own. Defaults to that one for older clients. */
const invitationLanguage = v.optional(v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"));

/** The form "Track new email"; addresses are normalised. */
export const trackInput = v.strictObject({ address, owner, language, invitationLanguage, contacts });
export type TrackInput = v.InferOutput<typeof trackInput>;

/** The form "Update alerts". */
export const updateInput = v.strictObject({
  owner,
  language,
  invitationLanguage,
  contacts,
  paused: v.boolean("INVALID_INPUT"),
});
export type UpdateInput = v.InferOutput<typeof updateInput>;

export const pauseInput = v.strictObject({ paused: v.boolean("INVALID_INPUT") });

const ids = v.pipe(v.array(uuid()), v.minLength(1), v.maxLength(MAX_BULK));
/** Several associations of the account. */
export const idsInput = v.strictObject({ ids });

/** Pasted text or the content of a file, to be previewed. */
export const bulkPreviewInput = v.strictObject({
  text: text(MAX_BULK_TEXT, "ADDRESS_REQUIRED", "BULK_TOO_LARGE"),
});

/** Many addresses with the same settings. */
export const bulkInput = v.strictObject({
  addresses: v.pipe(
    v.array(address, "ADDRESS_REQUIRED"),
    v.minLength(1, "ADDRESS_REQUIRED"),
    v.maxLength(MAX_BULK, "BULK_TOO_LARGE"),
  ),
  owner,
  language,
  invitationLanguage,
  contacts,
});
export type BulkInput = v.InferOutput<typeof bulkInput>;

const page = v.optional(v.pipe(text(6), v.digits(), v.toNumber(), v.minValue(1)), "1");

export const associationQuery = v.object({
  // Postgres rejects NUL in parameters.
  search: v.optional(v.pipe(text(EMAIL_TYPED_MAX), v.excludes("\0", "INVALID_INPUT"), trim), ""),
  status: v.optional(v.picklist(["all", "safe", "active", "breached", "inactive"]), "all"),
  page,
});
export type AssociationQuery = v.InferOutput<typeof associationQuery>;
