/** An authenticator app (RFC 6238). It takes effect once its first code was entered. */
export type Authenticator = {
  accountId: string;
  /** The shared secret, base32, encrypted. */
  sealedSecret: string;
  createdAt: Date;
  confirmedAt: Date | undefined;
  /** The time step of the last accepted code: none is accepted twice. */
  lastStep: number;
};

export type AuthenticatorRepository = {
  /** Adds it, or replaces an unconfirmed one. False when the account has a confirmed one. */
  save(authenticator: Authenticator): Promise<boolean>;
  find(accountId: string): Promise<Authenticator | undefined>;
  /** Conditional write: true while no code of this step or a later one was accepted. */
  takeStep(accountId: string, step: number): Promise<boolean>;
  /** Later calls do not change the time. */
  confirm(accountId: string, now: Date): Promise<void>;
  remove(accountId: string): Promise<boolean>;
};

/** A WebAuthn credential. `id` and `publicKey` (COSE) are base64url. */
export type Passkey = {
  id: string;
  accountId: string;
  publicKey: string;
  /** The authenticator's signature counter; 0 where it keeps none. */
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | undefined;
};

export type PasskeyRepository = {
  /** False when the credential exists already. */
  add(passkey: Passkey): Promise<boolean>;
  list(accountId: string): Promise<Passkey[]>;
  find(accountId: string, id: string): Promise<Passkey | undefined>;
  /**
   * Conditional write: false when the counter did not grow, as with a cloned authenticator. Two zeros mean that there is no
   * counter.
   */
  used(accountId: string, id: string, counter: number, now: Date): Promise<boolean>;
  rename(accountId: string, id: string, name: string): Promise<boolean>;
  remove(accountId: string, id: string): Promise<boolean>;
};

/** Keyed hashes of single-use codes. */
export type RecoveryCodeRepository = {
  replaceAll(accountId: string, macs: string[]): Promise<void>;
  /** True for the one caller that used it. */
  use(accountId: string, mac: string): Promise<boolean>;
  count(accountId: string): Promise<number>;
};

/** Which kinds of second factors an account has; an authenticator counts once it is confirmed. */
export type SecondFactorRepository = {
  of(accountId: string): Promise<{ passkey: boolean; authenticator: boolean; recoveryCode: boolean }>;
};

/**
 * A person as the provider knows them: `provider` is its key (`google`, `github`, `microsoft`, or the issuer), `subject` its
 * stable id, `email` is unverified.
 */
export type ProviderIdentity = { provider: string; subject: string; email: string };
export type ProviderLink = ProviderIdentity & { accountId: string; linkedAt: Date };

export type ProviderLinkRepository = {
  /** False when the identity is linked to an account already, or the account to another identity of this provider. */
  add(link: ProviderLink): Promise<boolean>;
  find(provider: string, subject: string): Promise<ProviderLink | undefined>;
  list(accountId: string): Promise<ProviderLink[]>;
  remove(accountId: string, provider: string): Promise<boolean>;
};
