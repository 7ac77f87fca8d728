import type { ReceiptFate, Receipts } from "../../../ports.ts";
import { objectIn, type Posted } from "../outbound.ts";

/** What an answer to the question for a receipt means. */
function fateOf(posted: Posted): ReceiptFate | "unknown" {
  const answer = answerIn(posted);
  if (!answer) return "unknown";
  const { status, body } = answer;
  if (isNotFound(answer)) return { acknowledgedAt: null, expired: true };
  if (status !== 200 || body.status !== 1) return "unknown";
  const { acknowledged, acknowledged_at: seconds, expired } = body;
  const isSeen = acknowledged === 1 && typeof seconds === "number" && seconds > 0;
  // A "yes" without its time, or no word of it at all, is an answer that nobody understands.
  if (!isSeen && acknowledged !== 0) return "unknown";
  return { acknowledgedAt: isSeen ? new Date(seconds * 1000) : null, expired: expired === 1 };
}

type Answer = { status: number; body: Record<string, unknown> };

function answerIn(posted: Posted): Answer | undefined {
  const body = posted.kind === "answer" ? objectIn(posted.text) : undefined;
  return posted.kind === "answer" && body ? { status: posted.status, body } : undefined;
}

/** It names what it refuses, as everywhere. */
function isNotFound({ status, body }: Answer): boolean {
  return body.status === 0 && (status === 404 || (status === 400 && "receipt" in body));
}

type Ways = {
  get(path: string): Promise<Posted>;
  call(path: string, fields: Record<string, string>): Promise<Posted>;
};

/** Whether emergencies were seen, and how they end. */
export function pushoverReceipts({ get, call }: Ways): Receipts {
  return {
    look: async (receipt) => fateOf(await get(`/receipts/${encodeURIComponent(receipt)}.json`)),

    async cancel(receipt) {
      const answer = answerIn(await call(`/receipts/${encodeURIComponent(receipt)}/cancel.json`, {}));
      // What it does not know does not repeat.
      return answer !== undefined && ((answer.status === 200 && answer.body.status === 1) || isNotFound(answer));
    },
  };
}
