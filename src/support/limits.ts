import { ipBucket } from "../shared/ip_bucket.ts";
import type { Mac } from "../shared/secrets.ts";
import type { Counted, Limit, LimitRepository } from "./limit_ports.ts";

const HOUR_MS = 3_600_000;

/** Whatever somebody sends to the staff, by account and by network address. */
const SENT: Limit = { most: 10, windowMs: HOUR_MS };

/** The count after one more. Beyond the limit it stays one above it, however many follow. */
export function counted(before: Counted | undefined, { most, windowMs }: Limit, now: Date): Counted {
  if (!before || before.until <= now) return { count: 1, until: new Date(now.getTime() + windowMs) };
  return { count: Math.min(before.count + 1, most + 1), until: before.until };
}

/** Counts what an account sends, from where. */
export function senderLimits(limits: LimitRepository, mac: Mac, now: Date) {
  async function wait(kind: "account" | "ip", value: string): Promise<number> {
    const { count, until } = await limits.count(keyOf(kind, value), SENT, now);
    return count <= SENT.most ? 0 : Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  }
  const keyOf = (kind: string, value: string) => `${kind}:${mac("support-limit", `${kind}:${value}`)}`;
  return {
    /** Seconds to wait, 0 for "go on". Holds the account's turn: its parallel ones come one after the other. */
    ofAccount: (accountId: string) => wait("account", accountId),
    ofIp: (ip: string) => wait("ip", ipBucket(ip)),
    /** It was the same as one before. */
    giveBack: (accountId: string) => limits.giveBack(keyOf("account", accountId)),
  };
}
