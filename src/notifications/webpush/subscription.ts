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
