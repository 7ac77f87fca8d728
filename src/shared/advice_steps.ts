import type { AdviceKind } from "./advice_kinds.ts";

/** Every step that we advise, in the order in which to take them. Their texts are in `locales/<language>/advice.json`. */
export const ADVICE_STEPS = [
  "clean_device",
  "move_wallet",
  "password",
  "all_passwords",
  "reused_passwords",
  "two_steps",
  "sign_out",
  "revoke_access",
  "change_pin",
  "block_card",
  "tell_bank",
  "security_answers",
  "id_authority",
  "social_number",
  "tax_watch",
  "credit_watch",
  "recovery_data",
  "check_card",
  "check_debits",
  "check_insurer",
  "sim_lock",
  "wallet_care",
  "biometric_off",
  "replace_secrets",
  "blackmail",
  "change_access",
  "home_guard",
  "phone_calls",
  "code_word",
  "parcels",
  "letters",
  "verify_payment",
  "tell_employer",
  "tell_contacts",
  "hotline_password",
  "distrust_offers",
  "booking_check",
  "check_points",
  "vehicle_watch",
  "estate",
  "report_approach",
  "hide_profile",
  "take_down",
  "separate_names",
  "location_off",
  "update_devices",
  "donate_safely",
  "phishing",
  "report_police",
  "unused_account",
  "erase_data",
] as const;
export type AdviceStep = (typeof ADVICE_STEPS)[number];

const PLACES = new Map<string, number>(ADVICE_STEPS.map((step, place) => [step, place]));

export function isAdviceStep(name: unknown): name is AdviceStep {
  return typeof name === "string" && PLACES.has(name);
}

/** A step's position among all: the lower, the more urgent. */
export function urgencyOf(step: AdviceStep): number {
  return PLACES.get(step) ?? ADVICE_STEPS.length;
}

/** The countries for which the advice names authorities and rules. */
export const COUNTRIES = ["CH", "DE", "ES", "FR", "GB", "IT", "PT", "US"] as const;
export type Country = (typeof COUNTRIES)[number];

export function isCountry(value: unknown): value is Country {
  return (COUNTRIES as readonly unknown[]).includes(value);
}

const EVERYWHERE = { CH: "CH", DE: "DE", ES: "ES", FR: "FR", GB: "GB", IT: "IT", PT: "PT", US: "US" } as const;

/** The steps that differ by country, with the variant of the text for each. */
export const VARIANTS: Partial<Record<AdviceStep, Partial<Record<Country, string>>>> = {
  block_card: EVERYWHERE,
  // The countries of the SEPA area share one scheme of direct debits.
  check_debits: { ...EVERYWHERE, DE: "SEPA", ES: "SEPA", FR: "SEPA", IT: "SEPA", PT: "SEPA" },
  sim_lock: EVERYWHERE,
  id_authority: EVERYWHERE,
  tax_watch: EVERYWHERE,
  social_number: EVERYWHERE,
  credit_watch: EVERYWHERE,
  phone_calls: { FR: "FR", GB: "GB", US: "US" },
  report_police: EVERYWHERE,
};

/** Whether the step's text names authorities, numbers or rules of a country. */
export function differsByCountry(step: AdviceStep): boolean {
  return VARIANTS[step] !== undefined;
}

/** The key of a step's text in the topic `advice`, in the country's variant where there is one. */
export function stepsWordKey(step: AdviceStep, country?: Country | undefined): string {
  const variant = country && VARIANTS[step]?.[country];
  return variant === undefined ? `step.${step}` : `step.${step}.${variant}`;
}

/** The steps for each kind of data, the most effective first. */
const STEPS_OF = {
  recovery_phrase: ["move_wallet", "wallet_care"],
  passwords: ["password", "reused_passwords", "two_steps", "sign_out"],
  old_passwords: ["reused_passwords", "two_steps"],
  password_hints: ["password", "reused_passwords"],
  sessions: ["sign_out", "revoke_access", "password", "two_steps"],
  security_questions: ["security_answers", "recovery_data", "two_steps"],
  identity_facts: ["security_answers", "hotline_password"],
  recovery_email: ["recovery_data", "two_steps", "phishing"],
  pins: ["change_pin", "check_card"],
  card_cvv: ["block_card", "check_card"],
  card: ["block_card", "check_card"],
  card_partial: ["phone_calls", "check_card"],
  bank_account: ["tell_bank", "check_debits", "phone_calls"],
  transactions: ["verify_payment", "check_debits", "phone_calls"],
  balances: ["phone_calls", "distrust_offers"],
  credit: ["credit_watch", "distrust_offers"],
  wealth: ["distrust_offers", "phone_calls"],
  wallet: ["wallet_care", "phishing"],
  national_id: ["id_authority", "credit_watch", "report_police"],
  passport: ["id_authority", "credit_watch", "report_police"],
  drivers_licence: ["id_authority", "credit_watch", "report_police"],
  social_security: ["social_number", "credit_watch", "tax_watch", "report_police"],
  tax: ["tax_watch", "credit_watch", "phishing"],
  biometric: ["biometric_off", "two_steps", "erase_data"],
  phone: ["phone_calls", "sim_lock"],
  operator: ["sim_lock", "phone_calls"],
  health: ["blackmail", "distrust_offers", "erase_data"],
  health_insurance: ["check_insurer", "phone_calls"],
  sexuality: ["blackmail", "hide_profile", "report_police", "erase_data"],
  beliefs: ["hide_profile", "report_police", "erase_data"],
  origin: ["phishing", "erase_data"],
  messages: ["replace_secrets", "blackmail", "tell_contacts"],
  ai_prompts: ["replace_secrets", "tell_employer", "erase_data"],
  photos: ["take_down", "blackmail", "report_police"],
  voice: ["code_word", "phone_calls"],
  home_address: ["letters", "hotline_password"],
  whereabouts: ["location_off", "home_guard", "report_police"],
  region: ["location_off", "phishing"],
  delivery: ["change_access", "parcels"],
  utility_bills: ["hotline_password", "letters"],
  travel: ["booking_check", "home_guard"],
  family: ["code_word", "security_answers"],
  contacts: ["tell_contacts", "phishing"],
  job: ["tell_employer", "verify_payment", "distrust_offers"],
  job_applications: ["distrust_offers", "credit_watch", "erase_data"],
  military: ["report_approach", "hide_profile"],
  education: ["distrust_offers", "erase_data"],
  vehicle: ["vehicle_watch", "letters"],
  device: ["update_devices", "phone_calls"],
  ip: ["update_devices", "phishing"],
  browsing: ["blackmail", "phishing", "erase_data"],
  activity: ["phishing", "erase_data"],
  purchases: ["parcels", "phishing"],
  support: ["phone_calls", "phishing"],
  loyalty: ["check_points", "phishing"],
  donations: ["donate_safely", "phishing"],
  messenger: ["phone_calls", "hide_profile"],
  social_profiles: ["hide_profile", "two_steps"],
  usernames: ["separate_names", "two_steps"],
  profile_photos: ["hide_profile", "take_down"],
  interests: ["distrust_offers", "hide_profile"],
  posts: ["separate_names", "erase_data"],
  appearance: ["hide_profile", "erase_data"],
  traits: ["phishing", "erase_data"],
  birth_date: ["hotline_password", "hide_profile"],
  age: ["hide_profile", "distrust_offers"],
  names: ["phishing", "hotline_password"],
  email_address: ["phishing", "two_steps", "unused_account"],
  deceased: ["estate", "letters"],
  general: ["phishing", "unused_account", "erase_data"],
} as const satisfies Record<AdviceKind, readonly AdviceStep[]>;

export function stepsOf(kind: AdviceKind): readonly AdviceStep[] {
  return STEPS_OF[kind];
}
