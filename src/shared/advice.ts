import { type BreachFacts, dataClassKey } from "./breach.ts";

type AdvisedBreach = Pick<BreachFacts, "domain" | "flags" | "dataClasses">;

const MOST_STEPS = 5;
const FEWEST_STEPS = 3;

/** Which stolen data calls for which step, in the order in which to take them. Each has its words in `locales/<language>/advice.json`. */
const STEPS = [
  ["password", ["passwords", "historical-passwords", "password-hints", "password-strengths"]],
  ["sessions", ["auth-tokens", "encrypted-keys", "login-histories"]],
  ["wallet", ["mnemonic-phrases", "cryptocurrency-wallet-addresses"]],
  ["card", ["credit-cards", "credit-card-cvv", "pins", "partial-credit-card-data", "payment-methods"]],
  [
    "bank",
    ["bank-account-numbers", "account-balances", "financial-transactions", "payment-histories", "loan-information"],
  ],
  [
    "identity",
    [
      "government-issued-ids",
      "partial-government-issued-ids",
      "passport-numbers",
      "social-security-numbers",
      "drivers-licenses",
      "taxation-records",
      "biometric-data",
      "credit-status-information",
      "credit-scores",
    ],
  ],
  ["questions", ["security-questions-and-answers", "mothers-maiden-names"]],
  [
    "blackmail",
    [
      "private-messages",
      "chat-logs",
      "sms-messages",
      "email-messages",
      "photos",
      "audio-recordings",
      "sexual-orientations",
      "sexual-fetishes",
      "personal-health-data",
      "hiv-statuses",
      "health-insurance-information",
      "drug-habits",
      "browsing-histories",
    ],
  ],
  ["phone", ["phone-numbers", "partial-phone-numbers", "imei-numbers", "imsi-numbers", "telecommunications-carrier"]],
  [
    "home",
    [
      "physical-addresses",
      "latitude-and-longitude-pairs",
      "delivery-instructions",
      "licence-plates",
      "vehicle-registration-plates",
    ],
  ],
] as const satisfies [name: string, dataClasses: string[]][];
type Step = (typeof STEPS)[number][0];
/** What somebody can do with stolen data: a kind of harm for each step against it, and two that need no certain data. */
export type Risk = Step | "device" | "phishing";

/** Good for everybody, to fill up. */
const GENERAL = ["two_steps", "phishing", "unused_account"];

const GRAVE = new Set<Step>(["password", "sessions", "wallet", "card", "bank", "identity"]);

function stepsFor(dataClasses: string[]): Step[] {
  const keys = new Set(dataClasses.map(dataClassKey));
  return STEPS.filter(([, classes]) => classes.some((name) => keys.has(name))).map(([name]) => name);
}

/** Malicious software collected the data on somebody's device. */
function isInfected({ flags }: AdvisedBreach): boolean {
  return flags.includes("malware") || flags.includes("stealerLog");
}

/** What somebody can do with all that these breaches exposed, the gravest first. */
export function risksOf(breaches: AdvisedBreach[]): Risk[] {
  if (breaches.length === 0) return [];
  const stolen = stepsFor(breaches.flatMap(({ dataClasses }) => dataClasses));
  return [...(breaches.some(isInfected) ? ["device" as const] : []), ...stolen, "phishing"];
}

/** Passwords, money or identity papers are in it. */
export function isGrave({ dataClasses }: AdvisedBreach): boolean {
  return stepsFor(dataClasses).some((step) => GRAVE.has(step));
}

/** Collected on people's own devices, or gathered from anywhere: there is no one service to change a password at. */
function isCollection(breach: AdvisedBreach): boolean {
  return breach.domain === "" || isInfected(breach);
}

/** Three to five things to do now, the most urgent first: names of words in `locales/<language>/advice.json`. */
export function adviceFor(breaches: AdvisedBreach[]): string[] {
  const infected = breaches.some(isInfected);
  const everywhere = breaches.every(
    (breach) => isCollection(breach) || !stepsFor(breach.dataClasses).includes("password"),
  );
  const stolen = stepsFor(breaches.flatMap(({ dataClasses }) => dataClasses));
  const named = stolen.map((step) => (step === "password" && everywhere ? "passwords" : step));
  const steps = [...(infected ? ["device"] : []), ...named].slice(0, MOST_STEPS - 1);
  // Mails that pretend to come from the service follow every breach.
  const filler = stolen.includes("password") ? GENERAL : ["phishing", "unused_account", "two_steps"];
  const wanted = Math.max(FEWEST_STEPS, Math.min(MOST_STEPS, steps.length + 1));
  for (const step of filler) if (steps.length < wanted) steps.push(step);
  return steps;
}
