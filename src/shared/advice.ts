import { ADVICE_KINDS, type AdviceKind, adviceKindOf } from "./advice_kinds.ts";
import {
  type AdviceStep,
  COUNTRIES,
  type Country,
  differsByCountry,
  stepsOf,
  stepsWordKey,
  urgencyOf,
} from "./advice_steps.ts";
import { type BreachFacts, dataClassKey, isDrill } from "./breach.ts";

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

export type AdvisedBreach = Pick<BreachFacts, "title" | "manyServices" | "flags" | "dataClasses">;

/** The kinds of data that these breaches exposed, the most severe first. */
export function kindsOf(breaches: readonly Pick<AdvisedBreach, "dataClasses">[]): AdviceKind[] {
  const exposed = new Set(
    breaches.flatMap(({ dataClasses }) => dataClasses.map((label) => adviceKindOf(dataClassKey(label)))),
  );
  return ADVICE_KINDS.filter((kind) => exposed.has(kind));
}

/** Whether malware collected the data on the person's device. */
export function isInfected({ flags }: Pick<BreachFacts, "flags">): boolean {
  return flags.includes("malware") || flags.includes("stealerLog");
}

/** Replaces a step that needs a service where none is known; undefined where the step does not apply then. */
function withoutService(step: AdviceStep): AdviceStep | undefined {
  if (step === "password" || step === "reused_passwords") return "all_passwords";
  return step === "erase_data" ? undefined : step;
}

/** Added to the weight of a kind's later steps, so that the first steps of every kind come before them. */
const LATER = 12;

/** Every step that helps against these breaches, with its weight: the lowest is the most urgent. */
function weighedSteps(breaches: readonly AdvisedBreach[]): Map<AdviceStep, number> {
  const weights = new Map<AdviceStep, number>();
  const add = (step: AdviceStep, weight: number) => weights.set(step, Math.min(weight, weights.get(step) ?? weight));
  for (const breach of breaches) {
    for (const kind of kindsOf([breach])) {
      for (const [place, step] of stepsOf(kind).entries()) {
        const said = breach.manyServices ? withoutService(step) : step;
        if (said) add(said, urgencyOf(said) + place * LATER);
      }
    }
  }
  const infected = breaches.some(isInfected);
  if (infected) for (const step of ["clean_device", "all_passwords"] as const) add(step, 0);
  if (weights.has("all_passwords")) {
    // It includes every reused password. One service's own password is still named, unless the device itself is not safe.
    weights.delete("reused_passwords");
    if (infected) weights.delete("password");
  }
  // Every breach is followed by phishing mails that pretend to come from the service.
  return weights.set("phishing", urgencyOf("phishing"));
}

const byUrgency = (one: AdviceStep, other: AdviceStep) => urgencyOf(one) - urgencyOf(other);

const MOST_STEPS = 5;
const FEWEST_STEPS = 3;
/** Fill up the list where a breach has few steps of its own. */
const GENERAL: readonly AdviceStep[] = ["two_steps", "unused_account"];

/** The three to five most urgent steps, in the order in which to take them, always with the warning of phishing. */
export function adviceFor(breaches: readonly AdvisedBreach[]): AdviceStep[] {
  const weighed = [...weighedSteps(breaches)].filter(([step]) => step !== "phishing");
  const pressing = weighed.toSorted(([, one], [, other]) => one - other).map(([step]) => step);
  const steps = new Set<AdviceStep>([...pressing.slice(0, MOST_STEPS - 1), "phishing"]);
  for (const step of GENERAL) if (steps.size < FEWEST_STEPS) steps.add(step);
  return [...steps].toSorted(byUrgency);
}

/** All steps that help against these breaches, in the order in which to take them; `adviceFor()` picks the most urgent. */
export function stepsFor(breaches: readonly AdvisedBreach[]): AdviceStep[] {
  return [...new Set([...weighedSteps(breaches).keys(), ...adviceFor(breaches)])].toSorted(byUrgency);
}

/** Steps whose text names the service where exactly one is concerned. */
const AT_SERVICE: readonly AdviceStep[] = ["password", "phishing", "erase_data"];
/** Steps with a different text where several services are concerned. */
const AT_SERVICES: readonly AdviceStep[] = ["password", "erase_data"];
/** Steps with a different text where no service is known. */
const AT_NO_SERVICE: readonly AdviceStep[] = ["all_passwords", "phishing"];

/** A service's common name: sources tell several breaches of one service apart in brackets, as in "Zoosk (2020)". */
export function serviceName({ title }: Pick<AdvisedBreach, "title">): string {
  return title.replace(/\s*\([^()]*\)$/, "") || title;
}

export type StepWords = { key: string; params: { service?: string } };

/** The text of a step against these breaches, in the topic `advice`. */
export function stepWords(step: AdviceStep, breaches: readonly AdvisedBreach[], country?: Country): StepWords {
  const isConcerned = (breach: AdvisedBreach) =>
    !breach.manyServices && !isDrill(breach) && (breaches.length === 1 || weighedSteps([breach]).has(step));
  const [service, ...others] = new Set(breaches.filter(isConcerned).map(serviceName));
  const isEverywhere = breaches.length > 1 && step === "phishing";
  if (service !== undefined && others.length === 0 && !isEverywhere && AT_SERVICE.includes(step))
    return { key: `step.${step}.service`, params: { service } };
  if (others.length > 0 && AT_SERVICES.includes(step)) return { key: `step.${step}.services`, params: {} };
  const isAnywhere = isEverywhere || breaches.some(({ manyServices }) => manyServices);
  // Malware reads every password on a device, so the text need not be conditional.
  if (isAnywhere && AT_NO_SERVICE.includes(step) && !(step === "all_passwords" && breaches.some(isInfected)))
    return { key: `step.${step}.anywhere`, params: {} };
  return { key: stepsWordKey(step, country), params: {} };
}

/** Every key that a step's text can have. */
export function wordKeysOf(step: AdviceStep): string[] {
  const countries = differsByCountry(step) ? COUNTRIES.map((country) => stepsWordKey(step, country)) : [];
  return [
    ...new Set([stepsWordKey(step), ...countries]),
    ...(AT_SERVICE.includes(step) ? [`step.${step}.service`] : []),
    ...(AT_SERVICES.includes(step) ? [`step.${step}.services`] : []),
    ...(AT_NO_SERVICE.includes(step) ? [`step.${step}.anywhere`] : []),
  ];
}

/** Risks with the kinds of data that cause them, the most severe first. */
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
/** What an attacker can do with stolen data; `device` and `phishing` depend on no particular data. */
export type Risk = DataRisk | "device" | "phishing";

const GRAVE: readonly DataRisk[] = ["password", "sessions", "wallet", "card", "bank", "identity"];

function dataRisksOf(breaches: readonly Pick<AdvisedBreach, "dataClasses">[]): DataRisk[] {
  const kinds = new Set(kindsOf(breaches));
  return (Object.keys(RISKS) as DataRisk[]).filter((risk) => RISKS[risk].some((kind) => kinds.has(kind)));
}

/** What an attacker can do with everything that these breaches exposed, the most severe first. */
export function risksOf(breaches: readonly Pick<AdvisedBreach, "dataClasses" | "flags">[]): Risk[] {
  if (breaches.length === 0) return [];
  return [...(breaches.some(isInfected) ? ["device" as const] : []), ...dataRisksOf(breaches), "phishing"];
}

/** Whether passwords, financial data or identity documents are among the data. */
export function isGrave(breach: Pick<AdvisedBreach, "dataClasses">): boolean {
  return dataRisksOf([breach]).some((risk) => GRAVE.includes(risk));
}
