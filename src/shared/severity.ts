import { type BreachFacts, dataClassKey, type PasswordStorage } from "./breach.ts";
import { byGroup, groupOf, type KnownDataClass } from "./data_groups.ts";

export const LEVELS = ["low", "medium", "high", "critical"] as const;
export type Level = (typeof LEVELS)[number];

/** The facts of a breach that its severity depends on. */
export type SeriousFacts = Pick<BreachFacts, "dataClasses" | "flags" | "breachDate" | "passwordStorage">;

/** With one of these categories a breach is at least this severe; a rule that `fades` drops one level after that time. */
type DataRule = {
  level: Level;
  any: readonly KnownDataClass[];
  /** Applies only in combination with one of these. */
  with?: readonly KnownDataClass[];
  storage?: PasswordStorage;
  /** After `years` it drops one level; `rule` names the explanation. */
  fades?: { years: number; rule: "passwords_old" | "cards_old" | "sessions_old" };
};

const PASSWORDS = ["passwords", "historical-passwords"] as const;
const PAPERS = [
  "government-issued-ids",
  "passport-numbers",
  "social-security-numbers",
  "drivers-licenses",
  "taxation-records",
] as const;
/** Most people have chosen another password by then, often because they were made to. */
const OLD_PASSWORDS = { years: 5, rule: "passwords_old" } as const;
/** Cards are replaced every three to five years. */
const OLD_CARDS = { years: 5, rule: "cards_old" } as const;
const OLD_SESSIONS = { years: 2, rule: "sessions_old" } as const;

/** Every rule about stolen data, the most severe first. Each has its sentence in `locales/<language>/seriousness.json`. */
const DATA_RULES = {
  recovery_phrases: { level: "critical", any: ["mnemonic-phrases"] },
  cards_with_code: { level: "critical", any: ["credit-cards"], with: ["credit-card-cvv", "pins"], fades: OLD_CARDS },
  passwords_plain: { level: "critical", any: PASSWORDS, storage: "plain", fades: OLD_PASSWORDS },
  identity_with_birth: { level: "critical", any: PAPERS, with: ["dates-of-birth"] },
  passwords_weak: { level: "high", any: PASSWORDS, storage: "weak", fades: OLD_PASSWORDS },
  passwords_unknown: { level: "high", any: PASSWORDS, storage: "unknown", fades: OLD_PASSWORDS },
  identity_papers: { level: "high", any: PAPERS },
  biometric: { level: "high", any: ["biometric-data"] },
  bank_accounts: { level: "high", any: ["bank-account-numbers", "pins"] },
  cards: { level: "high", any: ["credit-cards", "credit-card-cvv"], fades: OLD_CARDS },
  sign_in_keys: { level: "high", any: ["security-questions-and-answers", "encrypted-keys"] },
  sessions: { level: "high", any: ["auth-tokens"], fades: OLD_SESSIONS },
  health: {
    level: "high",
    any: ["personal-health-data", "hiv-statuses", "health-insurance-information", "disabilities", "drug-habits"],
  },
  messages: {
    level: "high",
    any: ["private-messages", "email-messages", "sms-messages", "chat-logs", "ai-prompts", "audio-recordings"],
  },
  intimate: { level: "high", any: ["sexual-fetishes", "sexual-orientations"] },
  passwords_strong: { level: "medium", any: PASSWORDS, storage: "strong", fades: OLD_PASSWORDS },
  proofs: {
    level: "medium",
    any: [
      ...["dates-of-birth", "places-of-birth", "mothers-maiden-names", "password-hints"],
      ...["partial-government-issued-ids", "partial-credit-card-data", "recovery-email-addresses"],
    ] as KnownDataClass[],
  },
  reachable: { level: "medium", any: ["phone-numbers", "physical-addresses", "delivery-instructions"] },
  whereabouts: {
    level: "medium",
    any: [
      ...["latitude-and-longitude-pairs", "travel-plans", "appointments", "flights-taken"],
      ...["licence-plates", "vehicle-registration-plates", "vehicle-identification-numbers-vins"],
    ] as KnownDataClass[],
  },
  finances: {
    level: "medium",
    any: [
      ...["account-balances", "financial-transactions", "financial-investments", "payment-histories"],
      ...["credit-scores", "credit-status-information", "loan-information", "home-loan-information"],
      ...["income-levels", "earnings", "net-worths", "cryptocurrency-wallet-addresses", "cryptocurrency-wallet-hashes"],
    ] as KnownDataClass[],
  },
  private_life: {
    level: "medium",
    any: [
      ...["photos", "religions", "political-views", "political-donations", "ethnicities", "races", "iq-levels"],
      ...["family-members-names", "family-structure", "family-plans", "parenting-plans", "spouses-names"],
      ...["drinking-habits", "smoking-habits", "browsing-histories", "address-book-contacts", "support-tickets"],
      ...["academic-records", "job-applications", "citizenship-statuses"],
    ] as KnownDataClass[],
  },
  phone_hardware: { level: "medium", any: ["imei-numbers", "imsi-numbers"] },
} as const satisfies Record<string, DataRule>;
type DataRuleId = keyof typeof DATA_RULES;
type Fading = "passwords_old" | "cards_old" | "sessions_old";

/** The rules in the order in which they are shown. */
export const SERIOUSNESS_RULES = [
  "device",
  ...(Object.keys(DATA_RULES) as DataRuleId[]),
  "new_kind",
  "everyday",
  "nothing_named",
  "passwords_old",
  "cards_old",
  "sessions_old",
  "sensitive",
  "doubtful",
] as const;
export type SeriousnessRule = (typeof SERIOUSNESS_RULES)[number];
export type Seriousness = { level: Level; rules: SeriousnessRule[] };

type Fired = { level: number; rule: SeriousnessRule; faded?: Fading };

const TOP = LEVELS.length - 1;
const MEDIUM = LEVELS.indexOf("medium");
const YEAR_MS = 365.25 * 24 * 3_600_000;
const DOUBTS = ["unverified", "fabricated", "spamList"] as const;

/** The rules that the stolen data triggers. */
function dataRules({ dataClasses, breachDate, passwordStorage }: SeriousFacts, now: Date): Fired[] {
  const keys = new Set(dataClasses.map(dataClassKey));
  const has = (wanted: readonly string[]) => wanted.some((key) => keys.has(key));
  // Data of unknown age counts as new.
  const years = breachDate === null ? 0 : (now.getTime() - Date.parse(breachDate)) / YEAR_MS;
  const storage = passwordStorage ?? "unknown";
  const fired = (Object.entries(DATA_RULES) as [DataRuleId, DataRule][]).flatMap(([rule, data]): Fired[] => {
    const fits = has(data.any) && (!data.with || has(data.with)) && (!data.storage || data.storage === storage);
    if (!fits) return [];
    const level = LEVELS.indexOf(data.level);
    return data.fades && years > data.fades.years
      ? [{ level: level - 1, rule, faded: data.fades.rule }]
      : [{ level, rule }];
  });
  if ([...keys].some((key) => groupOf(key) === "other")) fired.push({ level: MEDIUM, rule: "new_kind" });
  return fired.length > 0 ? fired : [{ level: 0, rule: keys.size > 0 ? "everyday" : "nothing_named" }];
}

/**
 * How severe a breach is for a person affected, and the rules that decided it, the decisive one first. More stolen data never
 * lowers it; age lowers it only for data that expires; an unverified entry counts one level lower and is never hidden. An
 * infected device is always the highest level.
 */
export function severityOf(facts: SeriousFacts, now: Date): Seriousness {
  const { flags } = facts;
  if (flags.includes("stealerLog") || flags.includes("malware")) return { level: "critical", rules: ["device"] };
  const fired = dataRules(facts, now);
  const base = Math.max(...fired.map(({ level }) => level));
  const deciding = fired.filter(({ level }) => level === base);
  const isSensitive = flags.includes("sensitive");
  const isDoubtful = DOUBTS.some((flag) => flags.includes(flag));
  const level = Math.max(0, Math.min(TOP, base + (isSensitive ? 1 : 0) - (isDoubtful ? 1 : 0)));
  return {
    level: LEVELS[level] ?? "low",
    rules: [
      ...deciding.map(({ rule }) => rule),
      ...new Set(deciding.flatMap(({ faded }) => faded ?? [])),
      ...(isSensitive ? ["sensitive" as const] : []),
      ...(isDoubtful ? ["doubtful" as const] : []),
    ],
  };
}

/** For sorting: higher is more severe. */
export function rankOf(level: Level): number {
  return LEVELS.indexOf(level);
}

/** The severity of each category on its own; those not listed are everyday data. */
const gravities = new Map<string, number>();
for (const { level, any, with: together, storage = "unknown" } of Object.values<DataRule>(DATA_RULES)) {
  if (together || storage !== "unknown") continue;
  for (const key of any) gravities.set(key, Math.max(rankOf(level), gravities.get(key) ?? 0));
}

function gravityOf(key: string): number {
  return gravities.get(key) ?? (groupOf(key) === "other" ? MEDIUM : 0);
}

/** Whether a category alone makes a breach serious. */
export function isGraveKind(key: string): boolean {
  return gravityOf(key) > MEDIUM;
}

/** Compares keys of categories: the most severe first, then by group. */
export function byGravity(one: string, other: string): number {
  return gravityOf(other) - gravityOf(one) || byGroup(one, other);
}
