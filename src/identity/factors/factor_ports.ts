/** An authenticator app (RFC 6238). It counts from the moment its first code was entered. */
export type Authenticator = {
  accountId: string;
  /** The shared secret, base32, sealed. */
  sealedSecret: string;
  createdAt: Date;
  confirmedAt: Date | undefined;
  /** The time step of the last code that was taken: none is taken twice. */
  lastStep: number;
};

export type AuthenticatorRepository = {
  /** Adds it, or replaces one that was never confirmed. False when the account has a confirmed one. */
  save(authenticator: Authenticator): Promise<boolean>;
  find(accountId: string): Promise<Authenticator | undefined>;
  /** One conditional write: true while no code of this step or a later one was taken. */
  takeStep(accountId: string, step: number): Promise<boolean>;
  /** The first moment stays. */
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
  /** False when the credential is known already. */
  add(passkey: Passkey): Promise<boolean>;
  list(accountId: string): Promise<Passkey[]>;
  find(accountId: string, id: string): Promise<Passkey | undefined>;
  /** One conditional write: false when the counter went back, as a copy's would. 0 after 0 is no counter at all. */
  used(accountId: string, id: string, counter: number, now: Date): Promise<boolean>;
  rename(accountId: string, id: string, name: string): Promise<boolean>;
  remove(accountId: string, id: string): Promise<boolean>;
};

/** Keyed hashes of codes, each good once. */
export type RecoveryCodeRepository = {
  replaceAll(accountId: string, macs: string[]): Promise<void>;
  /** True for the one caller that used it up. */
  use(accountId: string, mac: string): Promise<boolean>;
  count(accountId: string): Promise<number>;
};

/** Which kinds of factors an account has that take the second step; an authenticator counts once it is confirmed. */
export type SecondFactorRepository = {
  of(accountId: string): Promise<{ passkey: boolean; authenticator: boolean; recoveryCode: boolean }>;
};

export const PROVIDERS = ["google", "github", "microsoft"] as const;
export type ProviderName = (typeof PROVIDERS)[number];
/** Somebody as a provider knows them: `subject` is the provider's unchanging id, `email` only what it says. */
export type ProviderIdentity = { provider: ProviderName; subject: string; email: string };
export type ProviderLink = ProviderIdentity & { accountId: string; linkedAt: Date };

export type ProviderLinkRepository = {
  /** False when the identity belongs to an account already, or the account has one of this provider. */
  add(link: ProviderLink): Promise<boolean>;
  find(provider: ProviderName, subject: string): Promise<ProviderLink | undefined>;
  list(accountId: string): Promise<ProviderLink[]>;
  remove(accountId: string, provider: ProviderName): Promise<boolean>;
};
