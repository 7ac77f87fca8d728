import type { Alert } from "../api/api.ts";

type News = Pick<Alert, "raisedAt" | "worsenedAt">;

/** When there was last something to tell of an alert. */
export function newsAt({ raisedAt, worsenedAt }: News): string {
  return worsenedAt !== null && worsenedAt > raisedAt ? worsenedAt : raisedAt;
}

/** The moment of the latest news, if there is any. */
export function newestOf(alerts: News[]): string | undefined {
  return alerts.map(newsAt).sort().at(-1);
}

/** True for what waits and was not there, or not so bad, when somebody looked last. */
export function isUnseen(alert: News & Pick<Alert, "state">, seenAt: string | null): boolean {
  return alert.state === "pending" && (seenAt === null || newsAt(alert) > seenAt);
}
