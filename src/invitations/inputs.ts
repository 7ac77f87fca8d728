import * as v from "valibot";
import { LANGUAGES } from "../shared/language.ts";
import { text, textOrEmpty } from "../shared/text.ts";

/** Any text: one answer for every link that is not good. */
const token = textOrEmpty(200, "INVITATION_INVALID");
const scope = {
  details: v.boolean("INVALID_INPUT"),
  sensitive: v.boolean("INVALID_INPUT"),
  /** In which the words were read that are agreed to, for the record. */
  language: v.optional(v.picklist(LANGUAGES, "INVALID_INPUT")),
};
const block = v.boolean("INVALID_INPUT");

/** What the owner lets the inviter see. */
export const agreementInput = v.strictObject(scope);
/** A no, perhaps for good. */
export const refusalInput = v.strictObject({ block });

export const linkInput = v.strictObject({ token });
export const linkAgreementInput = v.strictObject({ token, ...scope });
export const linkRefusalInput = v.strictObject({ token, block });

export const pageQuery = v.object({
  page: v.optional(v.pipe(text(6), v.digits(), v.toNumber(), v.minValue(1)), "1"),
});
