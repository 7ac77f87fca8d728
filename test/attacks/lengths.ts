import { atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import type { Target } from "./target.ts";

/** Combining marks out of order, which `String.normalize` sorts in quadratic time. */
const MARKS = `a${"\u0315\u0300\u05ae\u0300".repeat(7000)}`;
const PASSWORD = "Tranquil-Harbour-42";
const AT_ONCE = 10;

/** S50: bodies of the maximum length that are slowest to process, concurrently with a normal request. */
export async function longTexts({ browser }: Target, _: Size): Promise<Finding[]> {
  const email = `${MARKS}@example.com`;
  const worst: [string, object][] = [
    ["/api/login", { email, password: PASSWORD }],
    ["/api/login", { email: "a@example.com", password: MARKS }],
    ["/api/forgot-password", { email }],
    ["/api/register", { firstName: MARKS, lastName: "Meyer", email: "a@example.com" }],
    ["/api/reset-password", { token: MARKS, password: PASSWORD, confirmPassword: PASSWORD }],
    ["/api/contact-links/inspect", { token: MARKS }],
    ["/api/invitation-links/inspect", { token: MARKS }],
  ];
  const waits: number[] = [];
  const taken: string[] = [];
  for (const [path, body] of worst) {
    const sent = Array.from({ length: AT_ONCE }, () => browser().call("POST", path, { body }));
    const start = performance.now();
    const [beside] = await Promise.all([browser().call("GET", "/api/check-user-authentication/"), ...sent]);
    waits.push((performance.now() - start) / 1000);
    if (beside.status !== 200) taken.push(`no answer beside ${path}`);
    for (const answer of await Promise.all(sent)) if (answer.status < 400 || answer.status >= 500) taken.push(path);
  }
  return [
    atMost("S50", "texts longer than any of their kind that were taken", taken.length, 0),
    atMost("S50", "seconds that ten of them at once, and somebody beside them, take at most", Math.max(...waits), 2),
  ];
}
