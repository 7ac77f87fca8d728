import type { BreachFacts } from "../../src/shared/breach.ts";
import type { TextId } from "../i18n.tsx";

const LATE_DAYS = 90;
const DAY_MS = 86_400_000;

/** True when a breach became known so long after it happened that people ask why they hear of it only now. */
export function becameKnownLate({ breachDate, addedDate }: Pick<BreachFacts, "breachDate" | "addedDate">): boolean {
  return new Date(addedDate).getTime() - new Date(breachDate).getTime() > LATE_DAYS * DAY_MS;
}

type Advice = { id: TextId; when: RegExp };

const ADVICE: Advice[] = [
  { id: "advice.password", when: /password|auth-token|security-question|hint/ },
  { id: "advice.payment", when: /credit-card|bank-account|payment|card-number|cvv|financial/ },
  { id: "advice.identity", when: /passport|social-security|government-issued|driver|national-id|identity-doc|tax/ },
  { id: "advice.phone", when: /phone|sms/ },
];

/** What to do next, by the keys of the stolen data; being wary of messages always belongs to it. */
export function adviceFor(dataClassKeys: readonly string[]): TextId[] {
  const fitting = ADVICE.filter(({ when }) => dataClassKeys.some((key) => when.test(key)));
  return [...fitting.map(({ id }) => id), "advice.wary"];
}
