/** What happens to the tracking of an account's former address: its owner is asked for consent, or the tracking ends. */
export const FORMER_ADDRESS_CHOICES = ["ask", "end"] as const;
export type FormerAddress = (typeof FORMER_ADDRESS_CHOICES)[number];
