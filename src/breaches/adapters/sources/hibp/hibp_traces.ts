import type { FoundTraces, SourceTrouble, Subscription, TraceSource } from "../../../ports.ts";
import type { Readable } from "../entries.ts";
import { type Answer, later, type Reading, segment } from "./hibp_http.ts";
import { readPastes, readSites } from "./hibp_model.ts";
import type { Plan } from "./hibp_plan.ts";

type Calls = {
  get: <Body>(path: string, intervalMs: number, reading: Reading<Body>) => Promise<Answer<Body>>;
  plan: { current(): Promise<Plan | SourceTrouble>; last(): Subscription | undefined; forget(): void };
};

/** Pastes and stealer logs. HIBP has no look-up by hash prefix for them, so the address is sent in clear. */
export function hibpTraces({ get, plan }: Calls): TraceSource {
  async function ask<Entry>(
    call: string,
    address: string,
    read: (body: unknown) => Readable<Entry> | undefined,
  ): Promise<FoundTraces<Entry>> {
    const known = await plan.current();
    if (known.kind !== "plan") return known;
    const answer = await get<Readable<Entry> | "refused" | undefined>(
      `/${call}/${segment(address.trim().toLowerCase())}`,
      known.intervalMs,
      { parse: (text) => read(JSON.parse(text)), refused: "refused" },
    );
    if (answer.kind === "misconfigured") plan.forget();
    if (answer.kind === "missing") return { kind: "found", entries: [], leftOut: 0 };
    if (answer.kind !== "json") return answer;
    if (answer.body === undefined)
      return { ...later("Cannot understand HIBP's answer for an address"), isOfAddress: true };
    return answer.body === "refused" ? { kind: "refused" } : { kind: "found", ...answer.body };
  }

  return {
    sendsAddress: true,

    async subscription() {
      const known = await plan.current();
      return known.kind === "plan" ? { kind: "subscription", subscription: known.subscription } : known;
    },

    lastSubscription: plan.last,

    pastesOf: (address) => ask("pasteaccount", address, readPastes),

    sitesOf: (address) => ask("stealerlogsbyemail", address, readSites),
  };
}
