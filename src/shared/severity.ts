import { type BreachFacts, dataClassKey, type PasswordStorage } from "./breach.ts";
import { byGroup, groupOf, type KnownDataClass } from "./data_groups.ts";

export const LEVELS = ["low", "medium", "high", "critical"] as const;
export type Level = (typeof LEVELS)[number];

/** What the seriousness of a breach depends on. */
export type SeriousFacts = Pick<BreachFacts, "dataClasses" | "flags" | "breachDate" | "passwordStorage">;

/** With these words in them, a breach is at least this grave; what loses its power with the years goes one step down then. */
type DataRule = {
  level: Level;
  any: readonly KnownDataClass[];
  /** Counts only together with one of these. */
  with?: readonly KnownDataClass[];
  storage?: PasswordStorage;
  /** After so many years, and the rule that says so. */
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
/** Most people have chosen another password by then, at the latest because they were made to. */
const OLD_PASSWORDS = { years: 5, rule: "passwords_old" } as const;
/** Cards are replaced every three to five years. */
const OLD_CARDS = { years: 5, rule: "cards_old" } as const;
const OLD_SESSIONS = { years: 2, rule: "sessions_old" } as const;

/** Every rule about stolen data, the gravest first. Each has its sentence in `locales/<language>/seriousness.json`. */
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

/** The rules in the order in which they are told. */
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

/** What the stolen data says, rule by rule. */
function dataRules({ dataClasses, breachDate, passwordStorage }: SeriousFacts, now: Date): Fired[] {
  const keys = new Set(dataClasses.map(dataClassKey));
  const has = (wanted: readonly string[]) => wanted.some((key) => keys.has(key));
  const years = (now.getTime() - Date.parse(breachDate)) / YEAR_MS;
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
 * How grave a breach is for somebody who is in it, and the rules that decided it, the first one first. More stolen data
 * never makes it less; old data counts less only where it loses its power; a doubtful entry counts one step less and is
 * never hidden. A device that was read is as grave as it gets, whatever else is said.
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

/** For ranking: higher is graver. */
export function rankOf(level: Level): number {
  return LEVELS.indexOf(level);
}

/** How grave each kind of data is by itself, where nothing more is known; others are everyday data. */
const gravities = new Map<string, number>();
for (const { level, any, with: together, storage = "unknown" } of Object.values<DataRule>(DATA_RULES)) {
  if (together || storage !== "unknown") continue;
  for (const key of any) gravities.set(key, Math.max(rankOf(level), gravities.get(key) ?? 0));
}

function gravityOf(key: string): number {
  return gravities.get(key) ?? (groupOf(key) === "other" ? MEDIUM : 0);
}

/** Whether a kind of data makes a breach serious all by itself. */
export function isGraveKind(key: string): boolean {
  return gravityOf(key) > MEDIUM;
}

/** Orders keys of kinds of data: the gravest first, equals by their groups. */
export function byGravity(one: string, other: string): number {
  return gravityOf(other) - gravityOf(one) || byGroup(one, other);
}
