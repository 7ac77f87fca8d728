import type { KnownDataClass } from "./data_groups.ts";

/** The kinds of stolen data that have advice, each with its categories (keys of `locales/<language>/data_classes.json`). */
const CLASSES = {
  recovery_phrase: ["mnemonic-phrases"],
  passwords: ["passwords"],
  old_passwords: ["historical-passwords"],
  password_hints: ["password-hints", "password-strengths"],
  sessions: ["auth-tokens", "encrypted-keys"],
  security_questions: ["security-questions-and-answers"],
  identity_facts: ["mothers-maiden-names", "places-of-birth"],
  recovery_email: ["recovery-email-addresses"],
  pins: ["pins"],
  card_cvv: ["credit-card-cvv"],
  card: ["credit-cards"],
  card_partial: ["partial-credit-card-data", "payment-methods"],
  bank_account: ["bank-account-numbers"],
  transactions: ["financial-transactions", "payment-histories"],
  balances: ["account-balances"],
  credit: ["credit-scores", "credit-status-information", "loan-information", "home-loan-information"],
  wealth: [
    "earnings",
    "financial-investments",
    "home-ownership-statuses",
    "income-levels",
    "living-costs",
    "net-worths",
    "socioeconomic-levels",
  ],
  wallet: ["cryptocurrency-wallet-addresses", "cryptocurrency-wallet-hashes"],
  national_id: ["government-issued-ids", "partial-government-issued-ids"],
  passport: ["passport-numbers"],
  drivers_licence: ["drivers-licenses"],
  social_security: ["social-security-numbers"],
  tax: ["taxation-records"],
  biometric: ["biometric-data"],
  phone: ["phone-numbers", "partial-phone-numbers"],
  operator: ["cellular-network-names", "imsi-numbers", "telecommunications-carrier"],
  birth_date: ["dates-of-birth"],
  health: ["disabilities", "drug-habits", "hiv-statuses", "personal-health-data"],
  health_insurance: ["health-insurance-information"],
  sexuality: ["sexual-fetishes", "sexual-orientations"],
  beliefs: ["political-donations", "political-views", "religions"],
  origin: ["citizenship-statuses", "ethnicities", "nationalities", "races"],
  messages: ["chat-logs", "email-messages", "private-messages", "sms-messages"],
  ai_prompts: ["ai-prompts"],
  photos: ["photos"],
  voice: ["audio-recordings"],
  home_address: ["physical-addresses"],
  whereabouts: ["latitude-and-longitude-pairs"],
  region: ["geographic-locations", "time-zones"],
  delivery: ["delivery-instructions", "shipment-tracking-numbers"],
  utility_bills: ["utility-bills"],
  travel: ["appointments", "flights-taken", "travel-habits", "travel-plans"],
  family: [
    "family-members-names",
    "family-plans",
    "family-structure",
    "marital-statuses",
    "parenting-plans",
    "relationship-statuses",
    "spouses-names",
  ],
  contacts: ["address-book-contacts", "social-connections"],
  job: [
    "career-levels",
    "company-names",
    "employers",
    "employment-statuses",
    "job-titles",
    "occupations",
    "professional-skills",
    "work-habits",
    "years-of-professional-experience",
  ],
  job_applications: ["job-applications"],
  military: ["military-service"],
  education: ["academic-records", "education-levels", "school-grades-class-levels"],
  vehicle: [
    "car-ownership-statuses",
    "licence-plates",
    "vehicle-details",
    "vehicle-identification-numbers-vins",
    "vehicle-registration-plates",
  ],
  device: [
    "apps-installed-on-devices",
    "browser-user-agent-details",
    "device-information",
    "device-serial-numbers",
    "imei-numbers",
    "mac-addresses",
  ],
  ip: ["ip-addresses"],
  browsing: ["browsing-histories", "device-usage-tracking-data"],
  activity: ["login-histories", "profile-statistics", "user-statuses", "website-activity"],
  purchases: ["buying-preferences", "purchases", "purchasing-habits"],
  support: [
    "customer-feedback",
    "customer-interactions",
    "customer-service-comments",
    "customer-service-records",
    "support-tickets",
    "warranty-claims",
  ],
  loyalty: ["loyalty-program-details", "reward-program-balances", "vip-statuses"],
  donations: ["charitable-donations"],
  messenger: ["instant-messenger-identities"],
  social_profiles: ["homepage-urls", "social-media-profiles", "user-website-urls"],
  usernames: ["display-names", "nicknames", "usernames"],
  profile_photos: ["avatars", "profile-photos"],
  interests: [
    "bios",
    "drinking-habits",
    "eating-habits",
    "fitness-levels",
    "personal-descriptions",
    "personal-interests",
    "smoking-habits",
  ],
  posts: ["comments", "forum-posts", "survey-results"],
  appearance: ["beauty-ratings", "clothing-sizes", "physical-attributes", "tattoo-status"],
  traits: ["astrological-signs", "genders", "iq-levels", "language-preferences", "spoken-languages"],
  age: ["age-groups", "ages", "partial-dates-of-birth", "years-of-birth"],
  names: ["names", "salutations"],
  email_address: ["email-addresses"],
  deceased: ["deceased-date", "deceased-statuses"],
} as const satisfies Record<string, readonly KnownDataClass[]>;

type KnownKind = keyof typeof CLASSES;
/** `general` stands for an unknown category. */
export type AdviceKind = KnownKind | "general";

export const ADVICE_KINDS: readonly AdviceKind[] = [...(Object.keys(CLASSES) as KnownKind[]), "general"];

const KIND_OF = new Map<string, AdviceKind>(
  (Object.entries(CLASSES) as [KnownKind, readonly string[]][]).flatMap(([kind, keys]) =>
    keys.map((key) => [key, kind] as const),
  ),
);

/** The kind of a data category, by its key. */
export function adviceKindOf(dataClassKey: string): AdviceKind {
  return KIND_OF.get(dataClassKey) ?? "general";
}

/** The keys of the categories of a kind. */
export function classesOf(kind: AdviceKind): readonly string[] {
  return kind === "general" ? [] : CLASSES[kind];
}
