import { type HibpOptions, hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import type { BreachFeed, RateBudget } from "../../src/breaches/ports.ts";
import type { HibpPeer } from "./hibp_peer.ts";

/** A rate budget that is never exhausted. */
export const freeBudget: RateBudget = { take: async () => 0, pause: async () => {}, list: async () => [] };

/** The HIBP adapter connected to a peer, with its key and no rate limit unless the test sets one. */
export function feedOn(peer: HibpPeer, options: Partial<HibpOptions> = {}): BreachFeed {
  return hibpFeed({
    baseUrl: peer.url,
    apiKey: peer.apiKey,
    budget: freeBudget,
    userAgent: "Breachbell/0.1.0 (+https://breachbell.example)",
    now: () => new Date("2026-11-20T12:00:00Z"),
    timeoutMs: 10_000,
    ...options,
  });
}

/** A clock that only moves when told to. */
export function testClock(start = "2026-11-20T12:00:00Z") {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    pass(ms: number): void {
      time += ms;
    },
  };
}
