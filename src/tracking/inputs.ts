import * as v from "valibot";
import { ALIAS_SERVICES, MAX_ALIAS_FILE, MAX_ALIASES } from "../shared/aliases.ts";
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

const MAX_KEY = 300;
const MAX_URL = 300;

/** Typed aliases of an own address. */
export const aliasesInput = v.strictObject({
  addresses: v.pipe(
    v.array(address, "ADDRESS_REQUIRED"),
    v.minLength(1, "ADDRESS_REQUIRED"),
    v.maxLength(MAX_ALIASES, "TOO_MANY_ALIASES"),
  ),
});
export type AliasesInput = v.InferOutput<typeof aliasesInput>;

/** The https address of a self-hosted service. */
const base = v.optional(
  v.pipe(
    text(MAX_URL, "SERVICE_URL_INVALID"),
    trim,
    v.rawTransform<string, URL | undefined>(({ dataset, addIssue, NEVER }) => {
      if (dataset.value === "") return undefined;
      const url = URL.parse(dataset.value);
      if (url?.protocol === "https:" && !url.username && !url.password && !url.search && !url.hash) return url;
      addIssue({ message: "SERVICE_URL_INVALID" });
      return NEVER;
    }),
  ),
);

const key = v.pipe(text(MAX_KEY, "ALIAS_KEY_REQUIRED"), trim, v.regex(/^[\x21-\x7e]+$/, "ALIAS_KEY_REQUIRED"));

/** The text of an export or another list, or a service with a key that is used once. */
export const aliasImportInput = v.variant("from", [
  v.strictObject({ from: v.literal("text"), text: text(MAX_ALIAS_FILE, "ADDRESS_REQUIRED", "BULK_TOO_LARGE") }),
  v.strictObject({ from: v.picklist(ALIAS_SERVICES), key, base }),
]);
export type AliasImportInput = v.InferOutput<typeof aliasImportInput>;

/** The token of a link mailed to an alias. */
export const aliasLinkInput = v.strictObject({ token: text(100, "LINK_INVALID") });
