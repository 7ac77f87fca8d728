import type { Alert } from "../api/api.ts";

type News = Pick<Alert, "raisedAt" | "worsenedAt">;

/** When an alert was raised or last became more severe. */
export function newsAt({ raisedAt, worsenedAt }: News): string {
  return worsenedAt !== null && worsenedAt > raisedAt ? worsenedAt : raisedAt;
}

/** The latest of these times, or undefined without alerts. */
export function newestOf(alerts: News[]): string | undefined {
  return alerts.map(newsAt).sort().at(-1);
}

/** Whether a pending alert was raised or became more severe after the panel was last opened. */
export function isUnseen(alert: News & Pick<Alert, "state">, seenAt: string | null): boolean {
  return alert.state === "pending" && (seenAt === null || newsAt(alert) > seenAt);
}
