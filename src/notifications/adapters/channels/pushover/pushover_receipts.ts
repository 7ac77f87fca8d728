import { objectIn, type RequestOutcome } from "../../../../outbound/request.ts";
import type { ReceiptFate, Receipts } from "../../../ports.ts";

/** Maps the answer to a receipt query. */
function fateOf(response: RequestOutcome): ReceiptFate | "unknown" {
  const answer = answerIn(response);
  if (!answer) return "unknown";
  const { status, body } = answer;
  if (isNotFound(answer)) return { acknowledgedAt: null, expired: true };
  if (status !== 200 || body.status !== 1) return "unknown";
  const { acknowledged, acknowledged_at: seconds, expired } = body;
  const isSeen = acknowledged === 1 && typeof seconds === "number" && seconds > 0;
  // Acknowledged without a time, or without the field, is an invalid answer.
  if (!isSeen && acknowledged !== 0) return "unknown";
  return { acknowledgedAt: isSeen ? new Date(seconds * 1000) : null, expired: expired === 1 };
}

type Answer = { status: number; body: Record<string, unknown> };

function answerIn(response: RequestOutcome): Answer | undefined {
  const body = response.kind === "answer" ? objectIn(response.text) : undefined;
  return response.kind === "answer" && body ? { status: response.status, body } : undefined;
}

/** An error names the invalid field. */
function isNotFound({ status, body }: Answer): boolean {
  return body.status === 0 && (status === 404 || (status === 400 && "receipt" in body));
}

type Ways = {
  get(path: string): Promise<RequestOutcome>;
  call(path: string, fields: Record<string, string>): Promise<RequestOutcome>;
};

/** Whether emergencies were acknowledged, and how to cancel them. */
export function pushoverReceipts({ get, call }: Ways): Receipts {
  return {
    look: async (receipt) => fateOf(await get(`/receipts/${encodeURIComponent(receipt)}.json`)),

    async cancel(receipt) {
      const answer = answerIn(await call(`/receipts/${encodeURIComponent(receipt)}/cancel.json`, {}));
      // An unknown receipt no longer repeats.
      return answer !== undefined && ((answer.status === 200 && answer.body.status === 1) || isNotFound(answer));
    },
  };
}
