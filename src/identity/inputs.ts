import * as v from "valibot";
import { LANGUAGES } from "../shared/language.ts";
import { company, email, lengthOf, name } from "../shared/person_fields.ts";
import type { ErrorCode } from "../shared/result.ts";
import { text, textOrEmpty, typedMax } from "../shared/text.ts";
import { normalised } from "../shared/unicode.ts";

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const PASSWORD_TYPED_MAX = typedMax(PASSWORD_MAX);
/** Limit for a typed code of a few digits or letters, with whatever was pasted around it. */
export const CODE_TYPED_MAX = 100;
/** Limit for a link's token: any text up to here gets the same error. */
export const LINK_TOKEN_MAX = 200;

const PASSWORD_RULES = [
  ["PASSWORD_TOO_SHORT", (text: string) => lengthOf(text) >= PASSWORD_MIN],
  ["PASSWORD_TOO_LONG", (text: string) => lengthOf(text) <= PASSWORD_MAX],
  ["PASSWORD_NO_LOWERCASE", (text: string) => /\p{Ll}/u.test(text)],
  ["PASSWORD_NO_UPPERCASE", (text: string) => /\p{Lu}/u.test(text)],
  ["PASSWORD_NO_DIGIT", (text: string) => /\p{Nd}/u.test(text)],
] as const satisfies [ErrorCode, (text: string) => boolean][];

export type PasswordRule = (typeof PASSWORD_RULES)[number][0];

/** The formal rules that a password does not meet yet, for the checklist next to the field. Counts characters, not bytes. */
export function passwordRules(password: string): PasswordRule[] {
  if (password.length > PASSWORD_TYPED_MAX) return ["PASSWORD_TOO_LONG"];
  const meant = normalised(password, "NFKC");
  return PASSWORD_RULES.filter(([, meets]) => !meets(meant)).map(([rule]) => rule);
}

/** Normalises a code: full-width digits become digits; spaces, hyphens and invisible characters are dropped. */
export function normaliseCode(typed: string): string {
  return normalised(typed, "NFKC").replaceAll(/[\s\p{Pd}\p{Cf}\u2212]/gu, "");
}

/** Digits separated by nothing but spaces and hyphens. */
const DIGITS = /[0-9](?:[\s\p{Pd}\u2212]*[0-9])*/gu;

/** The only six-digit code in a typed or pasted text, such as the mail's line; "" without one. */
export function codeIn(typed: string): string {
  const meant = normalised(typed, "NFKC").replaceAll(/\p{Cf}/gu, "");
  const numbers = (meant.match(DIGITS) ?? []).map(normaliseCode);
  const codes = new Set(numbers.filter(({ length }) => length === 6));
  const [code = ""] = codes;
  return codes.size === 1 ? code : "";
}

export const newPassword = v.pipe(
  text(PASSWORD_TYPED_MAX, "PASSWORD_REQUIRED", "PASSWORD_TOO_LONG"),
  v.nonEmpty("PASSWORD_REQUIRED"),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed) for (const message of passwordRules(dataset.value)) addIssue({ message });
  }),
);

export const confirmPassword = v.pipe(
  text(PASSWORD_TYPED_MAX, "PASSWORD_CONFIRMATION_REQUIRED", "PASSWORD_TOO_LONG"),
  v.nonEmpty("PASSWORD_CONFIRMATION_REQUIRED"),
);

const REQUIRED: Record<string, ErrorCode> = {
  firstName: "FIRST_NAME_REQUIRED",
  lastName: "LAST_NAME_REQUIRED",
  email: "EMAIL_REQUIRED",
  password: "PASSWORD_REQUIRED",
  confirmPassword: "PASSWORD_CONFIRMATION_REQUIRED",
  language: "LANGUAGE_REQUIRED",
  terms: "TERMS_REQUIRED",
  code: "CODE_INVALID",
  token: "RESET_LINK_INVALID",
  name: "PASSKEY_NAME_REQUIRED",
  response: "PASSKEY_INVALID",
};

/** A missing required key, or an unknown key. */
export function misfit({ expected, path }: v.StrictObjectIssue): ErrorCode {
  return (expected === "never" ? undefined : REQUIRED[String(path?.[0]?.key)]) ?? "INVALID_INPUT";
}

const twoPasswords = v.object({
  password: text(PASSWORD_TYPED_MAX),
  confirmPassword: v.pipe(text(PASSWORD_TYPED_MAX), v.nonEmpty()),
});

/** Not `partialCheck`, which is skipped while the first password has an issue of its own. */
export function samePasswords<Form extends v.InferOutput<typeof twoPasswords>>() {
  return v.rawCheck<Form>(({ dataset, addIssue }) => {
    const typed: unknown = dataset.value;
    if (!v.is(twoPasswords, typed)) return;
    const { password, confirmPassword: value } = typed;
    if (normalised(password, "NFKC") === normalised(value, "NFKC")) return;
    const path = { type: "object", origin: "value", input: typed, key: "confirmPassword", value } as const;
    addIssue({ message: "PASSWORDS_DIFFER", path: [path] });
  });
}

/** Any text: only the current version is accepted. */
const termsVersion = text(20);

/** `POST /api/terms/accept`. */
export const acceptTermsInput = v.strictObject({ version: termsVersion }, misfit);
export type AcceptTermsInput = v.InferOutput<typeof acceptTermsInput>;

/** An address of 320 characters in base64url, a time and a signature. */
const INVITATION_MAX = 520;

/** `POST /api/register`. All failing fields are reported together. */
export const registerInput = v.pipe(
  v.strictObject(
    {
      firstName: name("FIRST_NAME_REQUIRED"),
      lastName: name("LAST_NAME_REQUIRED"),
      email,
      password: newPassword,
      confirmPassword,
      language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
      companyName: v.optional(company),
      terms: v.literal(true, "TERMS_REQUIRED"),
      /** The version that was shown; by default the current one. */
      termsVersion: v.optional(termsVersion),
      /** The token of the operator's link. */
      invitation: v.optional(text(INVITATION_MAX)),
    },
    misfit,
  ),
  samePasswords(),
);
export type RegisterInput = v.InferOutput<typeof registerInput>;

/** The account's password. An impossible one is refused before it costs a hash. */
const presentPassword = v.pipe(
  text(PASSWORD_TYPED_MAX, "PASSWORD_REQUIRED", "PASSWORD_TOO_LONG"),
  v.nonEmpty("PASSWORD_REQUIRED"),
  v.check((typed) => lengthOf(normalised(typed, "NFKC")) <= PASSWORD_MAX, "PASSWORD_TOO_LONG"),
);

/** `POST /api/login`. */
export const loginInput = v.strictObject({ email, password: presentPassword }, misfit);
export type LoginInput = v.InferOutput<typeof loginInput>;

/** `POST /api/confirm-password`. */
export const confirmPasswordInput = v.strictObject({ password: presentPassword }, misfit);
export type ConfirmPasswordInput = v.InferOutput<typeof confirmPasswordInput>;

/** `POST /api/verify-code`. */
export const verifyCodeInput = v.strictObject(
  {
    code: v.pipe(text(CODE_TYPED_MAX, "CODE_INVALID"), v.transform(codeIn), v.nonEmpty("CODE_INVALID")),
  },
  misfit,
);
export type VerifyCodeInput = v.InferOutput<typeof verifyCodeInput>;

/** `POST /api/forgot-password`. */
export const forgotPasswordInput = v.strictObject({ email }, misfit);
export type ForgotPasswordInput = v.InferOutput<typeof forgotPasswordInput>;

/** Any text: one answer for every link that is not good. */
const resetToken = textOrEmpty(LINK_TOKEN_MAX, "RESET_LINK_INVALID");

/** `POST /api/reset-password/check`: the link's token, before a password is typed. */
export const resetLinkInput = v.strictObject({ token: resetToken }, misfit);

/** `POST /api/reset-password`. */
export const resetPasswordInput = v.pipe(
  v.strictObject({ token: resetToken, password: newPassword, confirmPassword }, misfit),
  samePasswords(),
);
export type ResetPasswordInput = v.InferOutput<typeof resetPasswordInput>;

/** `POST /api/register/inspect`. */
export const registrationLinkInput = v.strictObject({ invitation: text(INVITATION_MAX) });
