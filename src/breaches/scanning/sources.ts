import type { BreachFeed, BreachStore, SourceTrouble } from "../ports.ts";

/**
 * The sources that can answer at present; findings of the others follow once they are available again. All of them if none can
 * answer, as their last checks still count.
 */
export async function answering({ sources }: BreachStore, feeds: BreachFeed[]): Promise<string[]> {
  const able: string[] = [];
  for (const { source } of feeds) if ((await sources.find(source)).lookUpTrouble === undefined) able.push(source);
  return able.length > 0 ? able : feeds.map(({ source }) => source);
}

export function feedOf(feeds: BreachFeed[], source: string | undefined): BreachFeed {
  const feed = source === undefined ? feeds[0] : feeds.find((candidate) => candidate.source === source);
  if (feed === undefined) throw new Error(`Cannot find the breach source "${source ?? "first"}"`);
  return feed;
}

/** Whether a source gave no answer. */
export function isTrouble(answer: { kind: string }): answer is SourceTrouble {
  return answer.kind === "later" || answer.kind === "misconfigured";
}

/** Only waiting for the next slot, which the operator need not know about. */
export function isRateLimit(trouble: SourceTrouble): boolean {
  return trouble.kind === "later" && trouble.isRateLimit === true;
}
