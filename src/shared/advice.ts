import { ADVICE_KINDS, type AdviceKind, adviceKindOf } from "./advice_kinds.ts";
import { type AdviceStep, stepsOf, urgencyOf } from "./advice_steps.ts";
import { type BreachFacts, dataClassKey } from "./breach.ts";

export {
  ADVICE_STEPS,
  type AdviceStep,
  COUNTRIES,
  type Country,
  differsByCountry,
  isAdviceStep,
  isCountry,
  stepsWordKey,
} from "./advice_steps.ts";

export type AdvisedBreach = Pick<BreachFacts, "domain" | "flags" | "dataClasses">;

/** What to know and do about one category of data; words of both in `locales/<language>/advice.json`. */
export type Advice = {
  kind: AdviceKind;
  /** The key of the sentence that says what the data enables. */
  enables: string;
  /** One to five, what helps most first; their words: `stepsWordKey()`. */
  steps: readonly AdviceStep[];
};

/** The advice on a data category, by its key; a category that is new to us gets what always holds. */
export function adviceOf(dataClassKey: string): Advice {
  const kind = adviceKindOf(dataClassKey);
  return { kind, enables: `enables.${kind}`, steps: stepsOf(kind) };
}

/** The kinds of data that these breaches exposed, the gravest first. */
export function kindsOf(breaches: readonly AdvisedBreach[]): AdviceKind[] {
  const exposed = new Set(
    breaches.flatMap(({ dataClasses }) => dataClasses.map((label) => adviceKindOf(dataClassKey(label)))),
  );
  return ADVICE_KINDS.filter((kind) => exposed.has(kind));
}

/** Malicious software collected the data on somebody's device. */
export function isInfected({ flags }: Pick<BreachFacts, "flags">): boolean {
  return flags.includes("malware") || flags.includes("stealerLog");
}

/** Collected on people's own devices, or gathered from anywhere: there is no one service to do something at. */
function isCollection(breach: AdvisedBreach): boolean {
  return breach.domain === "" || isInfected(breach);
}

/** What a step becomes where there is no service to take it at; nothing where it makes no sense there. */
function withoutService(step: AdviceStep): AdviceStep | undefined {
  if (step === "password" || step === "reused_passwords") return "all_passwords";
  return step === "erase_data" ? undefined : step;
}

/** A kind's later steps wait until the first ones of other kinds are said. */
const LATER = 12;

/** Every step that helps against these breaches, with its weight: the lightest are the most pressing. */
function weighedSteps(breaches: readonly AdvisedBreach[]): Map<AdviceStep, number> {
  const weights = new Map<AdviceStep, number>();
  const add = (step: AdviceStep, weight: number) => weights.set(step, Math.min(weight, weights.get(step) ?? weight));
  for (const breach of breaches) {
    for (const kind of kindsOf([breach])) {
      for (const [place, step] of stepsOf(kind).entries()) {
        const said = isCollection(breach) ? withoutService(step) : step;
        if (said) add(said, urgencyOf(said) + place * LATER);
      }
    }
  }
  const infected = breaches.some(isInfected);
  if (infected) for (const step of ["clean_device", "all_passwords"] as const) add(step, 0);
  // New passwords everywhere leave nothing to say of single ones, and the other way round.
  const needless = infected || !weights.has("password") ? ["password", "reused_passwords"] : ["all_passwords"];
  if (weights.has("all_passwords")) for (const step of needless) weights.delete(step as AdviceStep);
  // Mails that pretend to come from the service follow every breach.
  return weights.set("phishing", urgencyOf("phishing"));
}

const byUrgency = (one: AdviceStep, other: AdviceStep) => urgencyOf(one) - urgencyOf(other);

const MOST_STEPS = 5;
const FEWEST_STEPS = 3;
/** Good for everybody, to fill up. */
const GENERAL: readonly AdviceStep[] = ["two_steps", "unused_account"];

/** Three to five things to do now, in the order in which to do them: the most pressing, and the warning of fraudulent mails. */
export function adviceFor(breaches: readonly AdvisedBreach[]): AdviceStep[] {
  const weighed = [...weighedSteps(breaches)].filter(([step]) => step !== "phishing");
  const pressing = weighed.toSorted(([, one], [, other]) => one - other).map(([step]) => step);
  const steps = new Set<AdviceStep>([...pressing.slice(0, MOST_STEPS - 1), "phishing"]);
  for (const step of GENERAL) if (steps.size < FEWEST_STEPS) steps.add(step);
  return [...steps].toSorted(byUrgency);
}

/** Everything that helps against these breaches, in the order in which to do it; `adviceFor()` names the most pressing of it. */
export function stepsFor(breaches: readonly AdvisedBreach[]): AdviceStep[] {
  return [...new Set([...weighedSteps(breaches).keys(), ...adviceFor(breaches)])].toSorted(byUrgency);
}

/** Kinds of harm, each with the kinds of data that bring it, the gravest first. */
const RISKS = {
  password: ["passwords", "old_passwords", "password_hints"],
  sessions: ["sessions"],
  wallet: ["recovery_phrase", "wallet"],
  card: ["card", "card_cvv", "card_partial", "pins"],
  bank: ["bank_account", "balances", "transactions"],
  identity: ["national_id", "passport", "drivers_licence", "social_security", "tax", "biometric", "credit"],
  questions: ["security_questions", "identity_facts"],
  blackmail: ["messages", "photos", "voice", "sexuality", "health", "health_insurance", "browsing"],
  phone: ["phone", "operator"],
  home: ["home_address", "whereabouts", "delivery", "vehicle"],
} as const satisfies Record<string, readonly AdviceKind[]>;

type DataRisk = keyof typeof RISKS;
/** What somebody can do with stolen data, and two that need no certain data. */
export type Risk = DataRisk | "device" | "phishing";

const GRAVE: readonly DataRisk[] = ["password", "sessions", "wallet", "card", "bank", "identity"];

function dataRisksOf(breaches: readonly AdvisedBreach[]): DataRisk[] {
  const kinds = new Set(kindsOf(breaches));
  return (Object.keys(RISKS) as DataRisk[]).filter((risk) => RISKS[risk].some((kind) => kinds.has(kind)));
}

/** In short what somebody can do with all that these breaches exposed, the gravest first. */
export function risksOf(breaches: readonly AdvisedBreach[]): Risk[] {
  if (breaches.length === 0) return [];
  return [...(breaches.some(isInfected) ? ["device" as const] : []), ...dataRisksOf(breaches), "phishing"];
}

/** Passwords, money or identity papers are in it. */
export function isGrave(breach: AdvisedBreach): boolean {
  return dataRisksOf([breach]).some((risk) => GRAVE.includes(risk));
}
