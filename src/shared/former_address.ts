/** What happens to the watch of an address that an account has left: its owner is asked, or the watch ends. */
export const FORMER_ADDRESS_CHOICES = ["ask", "end"] as const;
export type FormerAddress = (typeof FORMER_ADDRESS_CHOICES)[number];
