import type { KnownDataClass } from "./data_groups.ts";

/** One condition of a recipe: any of these categories, or a breach that its source marks as sensitive. */
export type Part = { any: readonly KnownDataClass[]; orSensitive?: true };
/** The conditions of a risk: every part, or one part in `breaches` different breaches. */
export type Recipe = { parts: readonly Part[]; breaches?: number };

const NAME = { any: ["names"] } as const satisfies Part;
const BIRTH = { any: ["dates-of-birth"] } as const satisfies Part;
const PHONE = { any: ["phone-numbers"] } as const satisfies Part;
const HOME = { any: ["physical-addresses"] } as const satisfies Part;
const PLACE = { any: ["physical-addresses", "latitude-and-longitude-pairs"] } as const satisfies Part;
const PASSWORD = { any: ["passwords", "historical-passwords"] } as const satisfies Part;
const PAPERS = {
  any: ["government-issued-ids", "passport-numbers", "social-security-numbers", "drivers-licenses"],
} as const satisfies Part;
const INTIMATE = {
  any: [
    "sexual-fetishes",
    "sexual-orientations",
    "hiv-statuses",
    "personal-health-data",
    "drug-habits",
    "private-messages",
    "chat-logs",
    "email-messages",
    "photos",
    "browsing-histories",
  ],
  orSensitive: true,
} as const satisfies Part;

/** What the data of several breaches make possible together, the most severe first. */
const RECIPES = {
  /** A password and what resets it: the mailbox, and through it every other account. */
  account_recovery: {
    parts: [PASSWORD, { any: ["security-questions-and-answers", "mothers-maiden-names", "recovery-email-addresses"] }],
  },
  password_reuse: { parts: [PASSWORD], breaches: 2 },
  /** A working password, and a phone number at which to ask for the one-time code. */
  code_call: { parts: [PASSWORD, PHONE] },
  card_payment: {
    parts: [{ any: ["credit-cards"] }, { any: ["credit-card-cvv"] }, { any: ["names", "physical-addresses"] }],
  },
  loan: { parts: [PAPERS, BIRTH, HOME, NAME] },
  sim_swap: {
    parts: [
      PHONE,
      NAME,
      { any: ["dates-of-birth", ...PAPERS.any] },
      { any: ["telecommunications-carrier", "cellular-network-names", "imsi-numbers", "physical-addresses"] },
    ],
  },
  phone_check: { parts: [NAME, BIRTH, { any: ["physical-addresses", "phone-numbers"] }] },
  direct_debit: { parts: [{ any: ["bank-account-numbers"] }, NAME, HOME] },
  bank_call: {
    parts: [
      {
        any: [
          "bank-account-numbers",
          "credit-cards",
          "partial-credit-card-data",
          "financial-transactions",
          "account-balances",
          "payment-histories",
          "payment-methods",
        ],
      },
      PHONE,
      NAME,
    ],
  },
  blackmail: {
    parts: [
      INTIMATE,
      NAME,
      {
        any: [
          "employers",
          "spouses-names",
          "family-members-names",
          "social-connections",
          "address-book-contacts",
          "social-media-profiles",
          "physical-addresses",
        ],
      },
    ],
  },
  burglary: {
    parts: [
      PLACE,
      {
        any: [
          "travel-plans",
          "delivery-instructions",
          "cryptocurrency-wallet-addresses",
          "net-worths",
          "financial-investments",
          "account-balances",
        ],
      },
    ],
  },
  stalking: {
    parts: [
      PLACE,
      { any: ["photos", "profile-photos", "physical-attributes", "licence-plates", "vehicle-registration-plates"] },
      NAME,
    ],
  },
  unmasking: {
    parts: [
      { any: ["usernames", "nicknames", "display-names", "instant-messenger-identities"] },
      NAME,
      {
        any: [
          "forum-posts",
          "comments",
          "private-messages",
          "chat-logs",
          "personal-descriptions",
          "sexual-orientations",
          "political-views",
          "religions",
        ],
      },
    ],
  },
  family_call: {
    parts: [
      { any: ["family-members-names", "spouses-names", "family-structure", "address-book-contacts"] },
      PHONE,
      NAME,
    ],
  },
  spear_phishing: {
    parts: [{ any: ["employers", "company-names"] }, { any: ["job-titles", "occupations", "career-levels"] }, NAME],
  },
  parcel: {
    parts: [
      HOME,
      PHONE,
      { any: ["purchases", "shipment-tracking-numbers", "delivery-instructions", "purchasing-habits"] },
    ],
  },
} as const satisfies Record<string, Recipe>;

export type Reading = keyof typeof RECIPES;
export const READINGS = Object.keys(RECIPES) as Reading[];

export function recipeOf(reading: Reading): Recipe {
  return RECIPES[reading];
}
