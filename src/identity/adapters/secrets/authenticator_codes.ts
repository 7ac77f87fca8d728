import { decodeBase32IgnorePadding, encodeBase32UpperCaseNoPadding } from "@oslojs/encoding";
import { createTOTPKeyURI, verifyHOTP } from "@oslojs/otp";
import { PRODUCT } from "../../../shared/product.ts";
import type { OneTimePasswords } from "../../factors/ceremony_ports.ts";

const SECRET_BYTES = 20;
const DIGITS = 6;
const STEP_SECONDS = 30;

/** Uses the package's HOTP, as its TOTP reads the clock itself. */
export function hotpCodes(): OneTimePasswords {
  return {
    newSecret: () => encodeBase32UpperCaseNoPadding(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))),
    uri: (secret, email) => createTOTPKeyURI(PRODUCT, email, decodeBase32IgnorePadding(secret), STEP_SECONDS, DIGITS),
    isRight: (code, { secret, step }) => verifyHOTP(decodeBase32IgnorePadding(secret), BigInt(step), DIGITS, code),
  };
}
