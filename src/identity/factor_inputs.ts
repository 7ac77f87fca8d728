import * as v from "valibot";
import { name } from "../shared/person_fields.ts";
import { misfit, normaliseCode } from "./inputs.ts";

/** A recovery code as it was meant: in any case, with or without its hyphen, and with what is mistaken for 0 and 1. */
export function normaliseRecoveryCode(typed: string): string {
  return normaliseCode(typed).toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
}

/** `POST /api/verify-recovery-code`. */
export const recoveryCodeInput = v.strictObject(
  {
    code: v.pipe(
      v.string("CODE_INVALID"),
      v.transform(normaliseRecoveryCode),
      v.regex(/^[0-9a-hjkmnp-tv-z]{10}$/, "CODE_INVALID"),
    ),
  },
  misfit,
);
export type RecoveryCodeInput = v.InferOutput<typeof recoveryCodeInput>;

/** Bytes, as WebAuthn's JSON carries them. */
const base64url = v.pipe(v.string("PASSKEY_INVALID"), v.regex(/^[\w-]+$/, "PASSKEY_INVALID"));
const transport = v.pipe(v.string("PASSKEY_INVALID"), v.regex(/^[a-z-]{1,20}$/, "PASSKEY_INVALID"));
const credential = { id: base64url, rawId: base64url, type: v.literal("public-key", "PASSKEY_INVALID") };

/** What a browser answers; what else it says is its own business, and later browsers say more. */
const registration = v.object(
  {
    ...credential,
    response: v.object(
      {
        clientDataJSON: base64url,
        attestationObject: base64url,
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
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: v.nullish(v.string("PASSKEY_INVALID")),
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
