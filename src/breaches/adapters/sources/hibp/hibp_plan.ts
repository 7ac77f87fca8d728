import { oneAtATime } from "../../../../shared/callers.ts";
import type { SourceTrouble, Subscription } from "../../../ports.ts";
import { type Answer, later, misconfigured } from "./hibp_http.ts";
import { readSubscription } from "./hibp_model.ts";

/** What a key allows, and the interval between requests that its rate amounts to. */
export type Plan = { kind: "plan"; intervalMs: number; subscription: Subscription };

const READ_EVERY_MS = 24 * 60 * 60_000;
const REFUSAL_MS = 60_000;
/** HIBP counts with a delay and asks clients to stay slightly below the limit. */
const SHARE_OF_RATE = 0.95;
const SLOWEST_RPM = 10;

function intervalOf(rpm: number): number {
  return 60_000 / (SHARE_OF_RATE * rpm);
}

/**
 * Caches the key's plan: read at first use, then daily and after a refusal. `read` is given the interval that its request uses.
 */
export function hibpPlan(read: (intervalMs: number) => Promise<Answer>, now: () => Date) {
  let plan: Plan | undefined;
  let trouble: SourceTrouble | undefined;
  let readAgainAt = 0;

  function understood(answer: Answer): Plan | SourceTrouble {
    if (answer.kind === "missing")
      return misconfigured(
        answer.isPage
          ? "A web page answers instead of HIBP: correct HIBP_BASE_URL"
          : "The HIBP API key has no active subscription",
      );
    if (answer.kind !== "json") return answer;
    const subscription = readSubscription(answer.body);
    if (subscription === undefined) return later("Cannot understand HIBP's answer about the subscription");
    return { kind: "plan", intervalMs: intervalOf(subscription.perMinute), subscription };
  }

  async function readPlan(): Promise<void> {
    const answer = understood(await read(plan?.intervalMs ?? intervalOf(SLOWEST_RPM)));
    if (answer.kind === "plan") plan = answer;
    // An outage of this endpoint does not stop look-ups; a refused key does.
    if (answer.kind === "misconfigured") plan = undefined;
    trouble = answer.kind === "plan" ? undefined : answer;
    const keepMs = {
      plan: READ_EVERY_MS,
      misconfigured: REFUSAL_MS,
      later: answer.kind === "later" ? answer.afterMs : 0,
    };
    readAgainAt = now().getTime() + keepMs[answer.kind];
  }

  const readOnce = oneAtATime(readPlan);

  return {
    async current(): Promise<Plan | SourceTrouble> {
      if (now().getTime() >= readAgainAt) await readOnce();
      return plan ?? trouble ?? later("The HIBP subscription is not known yet");
    },
    /** Asks whether the key is accepted, instead of relying on an earlier answer. */
    async verify(): Promise<{ kind: "accepted" } | SourceTrouble> {
      await readOnce();
      return trouble ?? { kind: "accepted" };
    },
    last: () => plan?.subscription,
    forget(): void {
      readAgainAt = 0;
    },
  };
}
