import * as v from "valibot";
import { MAX_CONTACTS } from "../shared/contacts.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import { LANGUAGES } from "../shared/language.ts";

export { MAX_CONTACTS };

function email(required: "ADDRESS_REQUIRED" | "EMAIL_REQUIRED", invalid: "EMAIL_INVALID" | "CONTACT_INVALID") {
  return v.pipe(
    v.string(required),
    v.trim(),
    v.nonEmpty(required),
    v.maxLength(320, invalid),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const address = normaliseEmail(dataset.value);
      if (address !== undefined) return address;
      addIssue({ message: invalid });
      return NEVER;
    }),
  );
}

const distinct = v.transform((values: string[]) => [...new Set(values)]);

/** The form "Track new email"; addresses leave it normalised. Telegram and Pushover have no sender yet. */
export const trackInput = v.strictObject({
  address: email("ADDRESS_REQUIRED", "EMAIL_INVALID"),
  owner: v.boolean("INVALID_INPUT"),
  language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
  contacts: v.strictObject(
    {
      email: v.pipe(
        v.array(email("EMAIL_REQUIRED", "CONTACT_INVALID"), "METHOD_REQUIRED"),
        v.minLength(1, "EMAIL_CONTACT_REQUIRED"),
        v.maxLength(MAX_CONTACTS, "TOO_MANY_CONTACTS"),
        distinct,
      ),
      telegram: v.optional(v.pipe(v.array(v.string()), v.maxLength(0, "CONTACT_INVALID")), []),
      pushover: v.optional(v.pipe(v.array(v.string()), v.maxLength(0, "CONTACT_INVALID")), []),
    },
    "METHOD_REQUIRED",
  ),
});
export type TrackInput = v.InferOutput<typeof trackInput>;

const page = v.optional(v.pipe(v.string(), v.digits(), v.maxLength(6), v.toNumber(), v.minValue(1)), "1");

export const associationQuery = v.object({
  // Postgres cannot compare with the character 0.
  search: v.optional(v.pipe(v.string(), v.excludes("\0", "INVALID_INPUT"), v.trim(), v.maxLength(320)), ""),
  status: v.optional(v.picklist(["all", "safe", "active", "breached", "inactive"]), "all"),
  page,
});
export type AssociationQuery = v.InferOutput<typeof associationQuery>;
