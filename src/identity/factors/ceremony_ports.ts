import type { PasskeyAssertion, PasskeyRegistration } from "./factor_inputs.ts";
import type { Passkey } from "./factor_ports.ts";

/** The arithmetic of an authenticator app (RFC 6238: SHA-1, six digits). Which step it is, the caller says. */
export type OneTimePasswords = {
  /** 160 random bits, base32. */
  newSecret(): string;
  /** What an app reads from a QR code. */
  uri(secret: string, email: string): string;
  isRight(code: string, of: { secret: string; step: number }): boolean;
};

type Descriptor = { id: string; type: "public-key"; transports: string[] };

/** What a browser needs to make a passkey: WebAuthn's PublicKeyCredentialCreationOptionsJSON. */
export type PasskeyCreationOptions = {
  challenge: string;
  timeout: number;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  excludeCredentials: Descriptor[];
  authenticatorSelection: { residentKey: "preferred"; requireResidentKey: false; userVerification: "preferred" };
  attestation: "none";
};

/** What a browser needs to sign with one: WebAuthn's PublicKeyCredentialRequestOptionsJSON. */
export type PasskeyRequestOptions = {
  challenge: string;
  timeout: number;
  rpId: string;
  allowCredentials: Descriptor[];
  userVerification: "preferred";
};

export type KnownPasskey = Pick<Passkey, "id" | "transports">;

/** The two ceremonies of WebAuthn, for one site. Challenges are random bytes in base64url, remembered by the caller. */
export type PasskeyCeremonies = {
  creationOptions(
    challenge: string,
    of: { accountId: string; email: string; known: KnownPasskey[] },
  ): PasskeyCreationOptions;
  /** The credential, if this browser made it for this challenge on this site; undefined for everything else. */
  created(
    response: PasskeyRegistration,
    challenge: string,
  ): Promise<Pick<Passkey, "id" | "publicKey" | "counter" | "transports"> | undefined>;
  requestOptions(challenge: string, known: KnownPasskey[]): PasskeyRequestOptions;
  /** The authenticator's next counter, if the passkey signed this challenge on this site; undefined for everything else. */
  signed(
    response: PasskeyAssertion,
    by: { challenge: string; passkey: Passkey },
  ): Promise<{ counter: number } | undefined>;
};

/** What the second factors need beside the rest. */
export type FactorDeps = {
  /** Ten characters, every one of 32 equally likely. */
  newRecoveryCode: () => string;
  oneTimePasswords: OneTimePasswords;
  passkeyCeremonies: PasskeyCeremonies;
  /** Whether the account's own mailbox may be open to others, by what is known of breaches. */
  mailboxLeaks: { of(accountId: string): Promise<boolean> };
};
