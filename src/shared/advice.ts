import { type BreachFacts, dataClassKey } from "./breach.ts";

type AdvisedBreach = Pick<BreachFacts, "domain" | "flags" | "dataClasses">;

const MOST_STEPS = 5;
const FEWEST_STEPS = 3;

/** Which stolen data calls for which step, in the order in which to take them. Each has its words in `locales/<language>/advice.json`. */
const STEPS: [name: string, dataClasses: string[]][] = [
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
];
/** Good for everybody, to fill up. */
const GENERAL = ["two_steps", "phishing", "unused_account"];

const GRAVE = new Set(["password", "sessions", "wallet", "card", "bank", "identity"]);

function stepsFor(dataClasses: string[]): string[] {
  const keys = new Set(dataClasses.map(dataClassKey));
  return STEPS.filter(([, classes]) => classes.some((name) => keys.has(name))).map(([name]) => name);
}

/** Passwords, money or identity papers are in it. */
export function isGrave({ dataClasses }: AdvisedBreach): boolean {
  return stepsFor(dataClasses).some((step) => GRAVE.has(step));
}

/** Collected on people's own devices, or gathered from anywhere: there is no one service to change a password at. */
function isCollection({ domain, flags }: AdvisedBreach): boolean {
  return domain === "" || flags.includes("stealerLog") || flags.includes("malware");
}

/** Three to five things to do now, the most urgent first: names of words in `locales/<language>/advice.json`. */
export function adviceFor(breaches: AdvisedBreach[]): string[] {
  const infected = breaches.some(({ flags }) => flags.includes("malware") || flags.includes("stealerLog"));
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
