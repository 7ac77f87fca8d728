import type { Paste, SourceTrouble, Subscription, TraceSource } from "../../../src/breaches/ports.ts";

type Left = { pastes?: Paste[]; sites?: string[] };
type Call = "subscription" | "pastesOf" | "sitesOf";
type Out = { kind: "refused" } | SourceTrouble;

export type MemoryTraceSource = TraceSource & {
  leave(address: string, traces: Left): void;
  /** Changes the subscription. */
  subscribe(change: Partial<Subscription>): void;
  /** The next calls of this kind have these results, one each. */
  answerNext(call: Call, ...outs: Out[]): void;
  /** All calls with their address, in order. */
  readonly asked: readonly string[];
};

/** A scripted source of pastes and stealer logs. */
export function memoryTraceSource(): MemoryTraceSource {
  const left = new Map<string, Left>();
  const outs: Record<Call, Out[]> = { subscription: [], pastesOf: [], sitesOf: [] };
  const asked: string[] = [];
  let subscription: Subscription = {
    name: "Pro 1",
    until: "2030-01-01T00:00:00Z",
    perMinute: 500,
    kAnonymity: true,
    stealerLogs: true,
  };
  return {
    sendsAddress: true,
    asked,
    async subscription() {
      const out = outs.subscription.shift();
      return out && out.kind !== "refused" ? out : { kind: "subscription", subscription };
    },
    lastSubscription: () => subscription,
    async pastesOf(address) {
      asked.push(`pastes of ${address}`);
      const pastes = structuredClone(left.get(address)?.pastes ?? []);
      return outs.pastesOf.shift() ?? { kind: "found", entries: pastes, leftOut: 0 };
    },
    async sitesOf(address) {
      asked.push(`sites of ${address}`);
      return outs.sitesOf.shift() ?? { kind: "found", entries: [...(left.get(address)?.sites ?? [])], leftOut: 0 };
    },
    leave: (address, traces) => void left.set(address, traces),
    subscribe(change) {
      subscription = { ...subscription, ...change };
    },
    answerNext: (call, ...next) => void outs[call].push(...next),
  };
}
