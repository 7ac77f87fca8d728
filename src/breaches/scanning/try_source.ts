import type { Tested } from "../../shared/connection_test.ts";
import type { BreachDeps } from "../ports.ts";
import { isRateLimit } from "./sources.ts";

/** For staff: whether a source answers. */
export function trying({ feeds }: BreachDeps) {
  return {
    /** One small request within the source's rate limit, about no address. */
    async trySource(source: string): Promise<Tested> {
      const feed = feeds.find((candidate) => candidate.source === source);
      if (feed === undefined) return "off";
      const answer = await (feed.verify?.() ?? feed.latest());
      if (answer.kind === "misconfigured") return "credentials";
      if (answer.kind !== "later") return "answered";
      return isRateLimit(answer) ? "limited" : "unreachable";
    },
  };
}
