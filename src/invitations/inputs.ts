import * as v from "valibot";
import { LANGUAGES } from "../shared/language.ts";
import { text, textOrEmpty } from "../shared/text.ts";

/** Accepts any text, so that all invalid links get the same answer. */
const token = textOrEmpty(200, "INVITATION_INVALID");
const scope = {
  details: v.boolean("INVALID_INPUT"),
  sensitive: v.boolean("INVALID_INPUT"),
  /** The language in which the consent text was read, for the record. */
  language: v.optional(v.picklist(LANGUAGES, "INVALID_INPUT")),
};
const block = v.boolean("INVALID_INPUT");

/** What the owner lets the inviter see. */
export const agreementInput = v.strictObject(scope);
/** A refusal, optionally with a block. */
export const refusalInput = v.strictObject({ block });

export const linkInput = v.strictObject({ token });
export const linkAgreementInput = v.strictObject({ token, ...scope });
export const linkRefusalInput = v.strictObject({ token, block });

export const pageQuery = v.object({
  page: v.optional(v.pipe(text(6), v.digits(), v.toNumber(), v.minValue(1)), "1"),
});
