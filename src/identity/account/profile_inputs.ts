import * as v from "valibot";
import { contactLists } from "../../shared/contacts.ts";
import { FORMER_ADDRESS_CHOICES } from "../../shared/former_address.ts";
import { LANGUAGES } from "../../shared/language.ts";
import { company, email, name } from "../../shared/person_fields.ts";
import { textOrEmpty } from "../../shared/text.ts";
import { confirmPassword, LINK_TOKEN_MAX, loginInput, misfit, newPassword, samePasswords } from "../inputs.ts";

/** `PUT /api/profile`. All details that can be changed without further proof. */
export const profileInput = v.strictObject(
  {
    firstName: name("FIRST_NAME_REQUIRED"),
    lastName: name("LAST_NAME_REQUIRED"),
    language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
    companyName: v.optional(company),
    defaultContacts: contactLists,
  },
  misfit,
);
export type ProfileInput = v.InferOutput<typeof profileInput>;

/** `PUT /api/profile/password`. */
export const changePasswordInput = v.pipe(
  v.strictObject({ password: newPassword, confirmPassword }, misfit),
  samePasswords(),
);
export type ChangePasswordInput = v.InferOutput<typeof changePasswordInput>;

/** `POST /api/profile/email`. */
export const changeEmailInput = v.strictObject(
  {
    email,
    /** What happens to the tracking of the former address. */
    formerAddress: v.optional(v.picklist(FORMER_ADDRESS_CHOICES, "INVALID_INPUT"), "ask"),
  },
  misfit,
);
export type ChangeEmailInput = v.InferOutput<typeof changeEmailInput>;

/** `POST /api/email-change/inspect` and `…/confirm`. Accepts any text, as every invalid link gets the same error. */
export const emailLinkInput = v.strictObject(
  { token: textOrEmpty(LINK_TOKEN_MAX, "EMAIL_LINK_INVALID") },
  ({ expected }) => (expected === "never" ? "INVALID_INPUT" : "EMAIL_LINK_INVALID"),
);

/** `POST /api/profile/delete`. */
export const deleteAccountInput = v.strictObject(
  {
    /** Left out only where there are no passwords; then the session must be a recently reauthenticated one. */
    password: v.optional(loginInput.entries.password),
    /** Whether other accounts may continue to track the account's address. */
    keepGrants: v.optional(v.boolean("INVALID_INPUT"), false),
  },
  misfit,
);
export type DeleteAccountInput = v.InferOutput<typeof deleteAccountInput>;
