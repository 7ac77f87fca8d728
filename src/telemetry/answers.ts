import { rollingCount } from "../shared/rolling_count.ts";

/** Numbers of answered requests: all, 4xx, and 5xx. */
type AnswerFigures = { all: number; refused: number; failed: number };

const HOUR_MS = 3_600_000;

/** Counts the answers of one process, with or without metrics. */
export function answerCount(now: () => Date) {
  const startedAt = now();
  const total: AnswerFigures = { all: 0, refused: 0, failed: 0 };
  const hour = { all: rollingCount(HOUR_MS), refused: rollingCount(HOUR_MS), failed: rollingCount(HOUR_MS) };
  return {
    count(status: number): void {
      const at = now();
      const add = (kind: keyof AnswerFigures) => {
        total[kind] += 1;
        hour[kind].add(at);
      };
      add("all");
      if (status >= 500) add("failed");
      else if (status >= 400) add("refused");
    },
    figures() {
      const at = now();
      const { all, refused, failed } = hour;
      const lastHour = { all: all.countAt(at), refused: refused.countAt(at), failed: failed.countAt(at) };
      return { startedAt, sinceStart: { ...total }, lastHour };
    },
  };
}

export type AnswerCount = ReturnType<typeof answerCount>;
