import { normalised } from "../../shared/text.ts";
import type { PushSubscription } from "./webpush_ports.ts";

/** Reads a decrypted subscription; undefined for anything else. */
export function subscriptionOf(secret: string): PushSubscription | undefined {
  try {
    const { endpoint, p256dh, auth } = JSON.parse(secret);
    const isWhole = [endpoint, p256dh, auth].every((part) => typeof part === "string") && URL.canParse(endpoint);
    return isWhole ? { endpoint, p256dh, auth } : undefined;
  } catch {
    return undefined;
  }
}

const NAME_MAX = 40;
const TAG_LENGTH = 8;

/** The value of a device's contact, such as "firefox-linux-3fa94c1e": its name, and the start of a hash of its endpoint. */
export function deviceValue(name: string, endpointMac: string): string {
  const words =
    normalised(name, "NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join("-").slice(0, NAME_MAX).replace(/-$/, "");
  const tag = Buffer.from(endpointMac, "base64url").toString("hex").slice(0, TAG_LENGTH);
  return `${slug || "device"}-${tag}`;
}
