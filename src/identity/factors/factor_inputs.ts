import * as v from "valibot";
import { name } from "../../shared/person_fields.ts";
import { text } from "../../shared/text.ts";
import { CODE_TYPED_MAX, misfit, normaliseCode } from "../inputs.ts";

/** Normalises a recovery code: ignores case and the hyphen, and replaces letters that look like 0 and 1. */
export function normaliseRecoveryCode(typed: string): string {
  return normaliseCode(typed).toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
}

/** `POST /api/verify-recovery-code`. */
export const recoveryCodeInput = v.strictObject(
  {
    code: v.pipe(
      text(CODE_TYPED_MAX, "CODE_INVALID"),
      v.transform(normaliseRecoveryCode),
      v.regex(/^[0-9a-hjkmnp-tv-z]{10}$/, "CODE_INVALID"),
    ),
  },
  misfit,
);
export type RecoveryCodeInput = v.InferOutput<typeof recoveryCodeInput>;

/** 1,023 bytes at most (WebAuthn, section 4, credential ID). */
const ID_MAX = 1364;
/** What an authenticator signs, with its maker's certificates; nearly the limit of a body. */
const RESPONSE_MAX = 60_000;

/** Base64url, as in WebAuthn's JSON. */
const bytes = (max: number) => v.pipe(text(max, "PASSKEY_INVALID"), v.regex(/^[\w-]+$/, "PASSKEY_INVALID"));
const transport = v.pipe(text(20, "PASSKEY_INVALID"), v.regex(/^[a-z-]{1,20}$/, "PASSKEY_INVALID"));
const credential = { id: bytes(ID_MAX), rawId: bytes(ID_MAX), type: v.literal("public-key", "PASSKEY_INVALID") };

/** The fields of a browser's answer that we use; others are ignored, as browsers add more. */
const registration = v.object(
  {
    ...credential,
    response: v.object(
      {
        clientDataJSON: bytes(RESPONSE_MAX),
        attestationObject: bytes(RESPONSE_MAX),
        transports: v.optional(v.pipe(v.array(transport, "PASSKEY_INVALID"), v.maxLength(10, "PASSKEY_INVALID")), []),
      },
      "PASSKEY_INVALID",
    ),
  },
  "PASSKEY_INVALID",
);
const assertion = v.object(
  {
    ...credential,
    response: v.object(
      {
        clientDataJSON: bytes(RESPONSE_MAX),
        authenticatorData: bytes(RESPONSE_MAX),
        signature: bytes(RESPONSE_MAX),
        userHandle: v.nullish(text(ID_MAX, "PASSKEY_INVALID")),
      },
      "PASSKEY_INVALID",
    ),
  },
  "PASSKEY_INVALID",
);
export type PasskeyRegistration = v.InferOutput<typeof registration>;
export type PasskeyAssertion = v.InferOutput<typeof assertion>;

/** `PUT /api/factors/passkeys/:id`. */
export const passkeyNameInput = v.strictObject({ name: name("PASSKEY_NAME_REQUIRED") }, misfit);
export type PasskeyNameInput = v.InferOutput<typeof passkeyNameInput>;

/** `POST /api/factors/passkeys`. */
export const addPasskeyInput = v.strictObject({ ...passkeyNameInput.entries, response: registration }, misfit);
export type AddPasskeyInput = v.InferOutput<typeof addPasskeyInput>;

/** `POST /api/verify-passkey`. */
export const verifyPasskeyInput = v.strictObject({ response: assertion }, misfit);
export type VerifyPasskeyInput = v.InferOutput<typeof verifyPasskeyInput>;
