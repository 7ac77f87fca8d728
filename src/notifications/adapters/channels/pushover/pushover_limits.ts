import type { RequestOutcome } from "../../../../outbound/request.ts";
import type { SendLimit } from "../../../ports.ts";

type Answer = Extract<RequestOutcome, { kind: "answer" }>;

/** The operator is notified below this share of the monthly quota. */
const LOW_SHARE = 0.1;

/** When the quota is reset, according to a response. */
export function resetOf({ header }: Answer): Date | undefined {
  const seconds = Number(header("X-Limit-App-Reset") ?? Number.NaN);
  return Number.isSafeInteger(seconds) && seconds > 0 ? new Date(seconds * 1000) : undefined;
}

type Watch = { now: () => Date; report: (error: unknown, context: Record<string, unknown>) => void };

/** Tracks the monthly quota from the response headers, and reports once a month when it runs low. */
export function pushoverLimits({ now, report }: Watch) {
  let toldFor: number | undefined;
  let known: Extract<SendLimit, { per: "month" }> | undefined;
  return {
    /** Undefined before the first response, and after a reset since. */
    current: (): SendLimit | undefined => (known && known.resetsAt > now() ? known : undefined),

    read(answer: Answer): void {
      const limit = Number(answer.header("X-Limit-App-Limit") ?? Number.NaN);
      const remaining = Number(answer.header("X-Limit-App-Remaining") ?? Number.NaN);
      const reset = resetOf(answer);
      if (!(limit > 0) || !(remaining >= 0) || !reset) return;
      known = { per: "month", most: limit, left: remaining, resetsAt: reset };
      if (remaining >= limit * LOW_SHARE) return;
      if (toldFor === reset.getTime()) return;
      toldFor = reset.getTime();
      const error = new Error(`Pushover takes only ${remaining} more messages of ${limit} this month`);
      report(error, { channel: "pushover", remaining, limit, reset: reset.toISOString() });
    },
  };
}
