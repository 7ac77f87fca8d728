import { ipBucket } from "../shared/ip_bucket.ts";
import type { Mac } from "../shared/secrets.ts";
import type { Counted, Limit, LimitRepository } from "./limit_ports.ts";

const HOUR_MS = 3_600_000;

/** For everything sent to staff, by account and by network address. */
const SENT: Limit = { most: 10, windowMs: HOUR_MS };

/** The counter after one more. Above the limit it stays at the limit plus one, however many follow. */
export function counted(before: Counted | undefined, { most, windowMs }: Limit, now: Date): Counted {
  if (!before || before.until <= now) return { count: 1, until: new Date(now.getTime() + windowMs) };
  return { count: Math.min(before.count + 1, most + 1), until: before.until };
}

/** Rate limits for submissions, by account and by network address. */
export function senderLimits(limits: LimitRepository, mac: Mac, now: Date) {
  async function wait(kind: "account" | "ip", value: string): Promise<number> {
    const { count, until } = await limits.count(keyOf(kind, value), SENT, now);
    return count <= SENT.most ? 0 : Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  }
  const keyOf = (kind: string, value: string) => `${kind}:${mac("support-limit", `${kind}:${value}`)}`;
  return {
    /** Seconds to wait, or 0. Locks the account's counter, so that parallel submissions run one after the other. */
    ofAccount: (accountId: string) => wait("account", accountId),
    ofIp: (ip: string) => wait("ip", ipBucket(ip)),
    /** Undoes the count for a repeated submission. */
    giveBack: (accountId: string) => limits.giveBack(keyOf("account", accountId)),
  };
}
