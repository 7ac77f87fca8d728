import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { PushSubscription } from "../../src/notifications/webpush/webpush_ports.ts";
import { type PeerRequest, startChannelPeer } from "./channel_peer.ts";
import type { PeerAnswer } from "./hibp_peer_failures.ts";

/** What a push service has to accept (RFC 8030, section 7.2). */
const MOST_BYTES = 4096;
const LONGEST_TOKEN_SECONDS = 24 * 3600;

export type PushNotification = {
  title: string;
  body: string;
  navigate: string;
  lang: string;
  dir: string;
  tag: string;
  app_badge?: string;
  actions: { action: string; title: string; navigate: string }[];
  data: { delivery: string; seen: string };
};
export type PushMessage = {
  subscription: string;
  ttl: number;
  urgency: string | undefined;
  topic: string | undefined;
  /** The claims of its signature. */
  claims: { aud: string; exp: number; sub: string };
  /** The decrypted payload. */
  text: string;
  payload: { web_push: number; notification: PushNotification };
};

/** A browser: its subscription, and the private key with which it decrypts messages. */
function newBrowser(endpoint: string) {
  const keys = createECDH("prime256v1");
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  const subscription: PushSubscription = {
    endpoint,
    p256dh: publicKey.toString("base64url"),
    auth: auth.toString("base64url"),
  };

  /** RFC 8291, section 3, and RFC 8188, section 2, for one record. */
  function decrypt(message: Buffer): string {
    const salt = message.subarray(0, 16);
    const keyLength = message.readUInt8(20);
    const theirs = message.subarray(21, 21 + keyLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, theirs]);
    const input = Buffer.from(hkdfSync("sha256", keys.computeSecret(theirs), auth, info, 32));
    const key = Buffer.from(hkdfSync("sha256", input, salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", input, salt, "Content-Encoding: nonce\0", 12));
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(message.subarray(-16));
    const padded = Buffer.concat([decipher.update(message.subarray(21 + keyLength, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
  }
  return { subscription, decrypt };
}

/** The claims of a token that its key has signed (RFC 8292); undefined for an invalid one. */
function claimsIn({
  authorization = "",
}: Record<string, string>): (PushMessage["claims"] & { key: string }) | undefined {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return undefined;
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = Buffer.from(`${header}.${claims}`);
  const isGenuine = verify(
    "sha256",
    signed,
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return isGenuine ? { ...JSON.parse(Buffer.from(claims, "base64url").toString()), key } : undefined;
}

/** A push service on loopback (RFC 8030): it checks each request, decrypts it as the browser would, and can lose a browser. */
export async function startPushPeer({ host = "other.example" }: { host?: string } = {}) {
  const received: PushMessage[] = [];
  const browsers = new Map<string, ReturnType<typeof newBrowser> & { key: string | undefined }>();
  const plain = (status: number, headers: Record<string, string> = {}): PeerAnswer => ({ status, headers, body: "" });

  function answer({ method, path, headers, bytes = Buffer.alloc(0) }: PeerRequest): PeerAnswer {
    const browser = browsers.get(path);
    if (method !== "POST") return plain(405);
    if (!browser) return plain(410);
    const claims = claimsIn(headers);
    const seconds = claims ? claims.exp - Date.now() / 1000 : 0;
    if (!claims || seconds <= 0 || seconds > LONGEST_TOKEN_SECONDS) return plain(401);
    if (claims.aud !== peer.origin || (browser.key !== undefined && browser.key !== claims.key)) return plain(403);
    if (!/^\d+$/.test(headers.ttl ?? "") || headers["content-encoding"] !== "aes128gcm") return plain(400);
    if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(headers.topic)) return plain(400);
    if (bytes.length > MOST_BYTES) return plain(413);
    const text = browser.decrypt(bytes);
    const { aud, exp, sub } = claims;
    received.push({
      subscription: path,
      ttl: Number(headers.ttl),
      urgency: headers.urgency,
      topic: headers.topic,
      claims: { aud, exp, sub },
      text,
      payload: JSON.parse(text),
    });
    return plain(201, { location: `${peer.origin}/message/${received.length}` });
  }

  const server = await startChannelPeer({ answer, secure: true });
  const peer = {
    ...server,
    /** The usual host only resolves with the test's own resolver. */
    origin: `https://${host}:${server.port}`,
    /** Everything it accepted, decrypted. */
    received,
    /** A browser subscribes; with `key`, only the holder of that key may send to it. */
    subscribe({ key, path = `/push/${randomBytes(9).toString("base64url")}` }: { key?: string; path?: string } = {}) {
      const browser = newBrowser(`${peer.origin}${path}`);
      browsers.set(path, { ...browser, key });
      return browser.subscription;
    },
    /** The person has removed the site, or the browser: it answers 410 from now on. */
    forget: (endpoint: string): void => void browsers.delete(endpoint.slice(peer.origin.length)),
  };
  return peer;
}
