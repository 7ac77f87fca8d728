/** A browser's subscription: where its push service takes messages, and the keys to encrypt them with (base64url). */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string };

/** The key pair that identifies this installation to push services; the private key is encrypted. */
export type PushKey = { publicKey: string; sealed: string };

export type PushKeyRepository = {
  find(): Promise<PushKey | undefined>;
  /** Does nothing when there is one already. */
  add(key: PushKey): Promise<void>;
};
