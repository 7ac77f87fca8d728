import * as v from "valibot";
import { normaliseDomain } from "../shared/email_address.ts";
import { LANGUAGES } from "../shared/language.ts";
import { text, textOrEmpty, trim } from "../shared/text.ts";
import { DIGESTS, PROOF_MAILBOXES, PROOFS, type Proof, type ProofMailbox } from "./domain.ts";
import { MAILBOX_KINDS, SAYS } from "./finding.ts";

/** As long as an email address may be typed. */
const LONGEST_TYPED = 320;
const LONGEST_ALIAS = 64;
/** An address in hexadecimal digits, and its seal. */
const LONGEST_TOKEN = 800;

/** A mailbox belongs to a proof by mail, and to no other. */
const isWhole = ({ proof, mailbox }: { proof: Proof; mailbox?: ProofMailbox | undefined }) =>
  (proof === "mail") === (mailbox !== undefined);
const proof = {
  proof: v.picklist(PROOFS, "INVALID_INPUT"),
  mailbox: v.optional(v.picklist(PROOF_MAILBOXES, "INVALID_INPUT")),
};

export const domainInput = v.pipe(
  v.strictObject({
    name: v.pipe(
      text(LONGEST_TYPED, "DOMAIN_INVALID"),
      trim,
      v.check((typed) => normaliseDomain(typed) !== undefined, "DOMAIN_INVALID"),
    ),
    ...proof,
  }),
  v.check((typed) => isWhole(typed), "INVALID_INPUT"),
);
export const proofInput = v.pipe(
  v.strictObject(proof),
  v.check((typed) => isWhole(typed), "INVALID_INPUT"),
);
export const domainCodeInput = v.strictObject({
  code: v.pipe(textOrEmpty(12, "CODE_INVALID"), trim, v.regex(/^\d{6}$/, "CODE_INVALID")),
});
export const domainSettingsInput = v.strictObject({
  catchAll: v.boolean("INVALID_INPUT"),
  roleSensitive: v.boolean("INVALID_INPUT"),
  tellPeople: v.boolean("INVALID_INPUT"),
  digest: v.picklist(DIGESTS, "INVALID_INPUT"),
  language: v.picklist(LANGUAGES, "INVALID_INPUT"),
});
/** No text of the database has a NUL. */
const stored = (max: number) => v.pipe(text(max), v.excludes("\0", "INVALID_INPUT"));
const alias = stored(LONGEST_ALIAS);
export const aliasInput = v.strictObject({ alias });
export const markInput = v.strictObject({ alias, kind: v.picklist(["person", "alias"], "INVALID_INPUT") });

const filter = {
  kind: v.optional(v.picklist(MAILBOX_KINDS)),
  breach: v.optional(stored(200)),
  search: v.optional(v.pipe(stored(LONGEST_ALIAS), trim, v.toLowerCase()), ""),
};
export const domainFileInput = v.strictObject({ ...filter, language: v.picklist(LANGUAGES, "INVALID_INPUT") });
export const addressPageInput = v.strictObject({ ...filter, after: v.optional(alias) });

export const domainLinkInput = v.strictObject({ token: textOrEmpty(LONGEST_TOKEN, "LINK_INVALID") });
export const sayInput = v.strictObject({ say: v.picklist(SAYS, "INVALID_INPUT") });
export const linkSayInput = v.strictObject({ ...domainLinkInput.entries, ...sayInput.entries });
