import type { PasskeyAssertion, PasskeyRegistration } from "./factor_inputs.ts";
import type { Passkey } from "./factor_ports.ts";

/** The algorithm of authenticator apps (RFC 6238: SHA-1, six digits). The caller passes the time step. */
export type OneTimePasswords = {
  /** 160 random bits, base32. */
  newSecret(): string;
  /** The content of the QR code for the app. */
  uri(secret: string, email: string): string;
  isRight(code: string, of: { secret: string; step: number }): boolean;
};

type Descriptor = { id: string; type: "public-key"; transports: string[] };

/** WebAuthn's PublicKeyCredentialCreationOptionsJSON. */
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

/** WebAuthn's PublicKeyCredentialRequestOptionsJSON. */
export type PasskeyRequestOptions = {
  challenge: string;
  timeout: number;
  rpId: string;
  allowCredentials: Descriptor[];
  userVerification: "preferred";
};

export type KnownPasskey = Pick<Passkey, "id" | "transports">;

/** The two ceremonies of WebAuthn for one site. Challenges are random bytes in base64url, which the caller stores. */
export type PasskeyCeremonies = {
  creationOptions(
    challenge: string,
    of: { accountId: string; email: string; known: KnownPasskey[] },
  ): PasskeyCreationOptions;
  /** The credential, if it was created for this challenge and site; else undefined. */
  created(
    response: PasskeyRegistration,
    challenge: string,
  ): Promise<Pick<Passkey, "id" | "publicKey" | "counter" | "transports"> | undefined>;
  requestOptions(challenge: string, known: KnownPasskey[]): PasskeyRequestOptions;
  /** The authenticator's new counter, if the passkey signed this challenge for this site; else undefined. */
  signed(
    response: PasskeyAssertion,
    by: { challenge: string; passkey: Passkey },
  ): Promise<{ counter: number } | undefined>;
};

/** Further dependencies of the second factors. */
export type FactorDeps = {
  /** Ten characters, uniformly distributed over an alphabet of 32. */
  newRecoveryCode: () => string;
  oneTimePasswords: OneTimePasswords;
  passkeyCeremonies: PasskeyCeremonies;
  /** Whether known breaches suggest that others can read the account's mailbox. */
  mailboxLeaks: { of(accountId: string): Promise<boolean> };
};
