import type { Cipher } from "../../../../shared/secrets.ts";
import type { Transaction } from "../../../../shared/transaction.ts";
import type { NotificationStore } from "../../../ports.ts";
import type { PushKey } from "../../../webpush/webpush_ports.ts";

/** An ECDSA key pair on P-256 in base64url: the public key as an uncompressed point, the private key as its scalar. */
type KeyPair = { publicKey: string; privateKey: string };
export type PushKeys = {
  /** The installation's key pair, generated when there is none yet. */
  pair(): Promise<KeyPair>;
  /** The public key; undefined while there is none. */
  publicKey(): Promise<string | undefined>;
};

async function newKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { d } = await crypto.subtle.exportKey("jwk", privateKey);
  if (d === undefined) throw new Error("Cannot export the new key of Web Push");
  return {
    publicKey: Buffer.from(await crypto.subtle.exportKey("raw", publicKey)).toString("base64url"),
    privateKey: d,
  };
}

/** Processes that start together agree on one key pair, as only the first is stored. */
export function pushKeys({
  transaction,
  cipher,
}: {
  transaction: Transaction<NotificationStore>;
  cipher: Cipher;
}): PushKeys {
  const stored = () => transaction((store) => store.pushKeys.find());
  const opened = ({ publicKey, sealed }: PushKey) => ({ publicKey, privateKey: cipher.decrypt(sealed) });
  let known: KeyPair | undefined;

  async function read(): Promise<KeyPair> {
    const first = await stored();
    if (first) return opened(first);
    const { publicKey, privateKey } = await newKeyPair();
    const kept = await transaction(async (store) => {
      await store.pushKeys.add({ publicKey, sealed: cipher.encrypt(privateKey) });
      return store.pushKeys.find();
    });
    if (!kept) throw new Error("Cannot store the keys of Web Push");
    return opened(kept);
  }

  return {
    async pair() {
      known ??= await read();
      return known;
    },
    publicKey: async () => known?.publicKey ?? (await stored())?.publicKey,
  };
}
