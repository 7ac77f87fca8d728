import { type BreachFacts, dataClassKey } from "../../src/shared/breach.ts";
import type { TextId } from "../text_id.ts";

const LATE_DAYS = 90;
const DAY_MS = 86_400_000;

/** True when a breach became known so long after it happened that people ask why they hear of it only now. */
export function becameKnownLate({ breachDate, addedDate }: Pick<BreachFacts, "breachDate" | "addedDate">): boolean {
  return new Date(addedDate).getTime() - new Date(breachDate).getTime() > LATE_DAYS * DAY_MS;
}

type Facts = Pick<BreachFacts, "domain" | "flags" | "dataClasses">;
type Advice = { id: TextId; fits: (breach: Facts) => boolean };

function stolen({ dataClasses }: Facts, pattern: RegExp): boolean {
  return dataClasses.some((label) => pattern.test(dataClassKey(label)));
}

/** Collected on people's own devices, or gathered from anywhere: there is no one service to change a password at. */
function isCollection({ domain, flags }: Facts): boolean {
  return domain === "" || flags.includes("stealerLog") || flags.includes("malware");
}

const PASSWORD = /password|auth-token|security-question/;

// In the order in which they help: a device that still listens makes every new password useless.
const ADVICE: Advice[] = [
  { id: "advice.device", fits: ({ flags }) => flags.includes("stealerLog") || flags.includes("malware") },
  { id: "advice.password", fits: (breach) => stolen(breach, PASSWORD) && !isCollection(breach) },
  { id: "advice.passwords", fits: (breach) => stolen(breach, PASSWORD) && isCollection(breach) },
  { id: "advice.payment", fits: (breach) => stolen(breach, /credit-card|bank-account|payment|financial/) },
  { id: "advice.identity", fits: (breach) => stolen(breach, /passport|social-security|government-issued|driver|tax/) },
  { id: "advice.phone", fits: (breach) => stolen(breach, /phone|sms/) },
  { id: "advice.wary", fits: () => true },
];

/** What to do next about a breach. */
export function adviceFor(breach: Facts): TextId[] {
  return ADVICE.filter(({ fits }) => fits(breach)).map(({ id }) => id);
}
