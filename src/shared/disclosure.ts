/** In which form a source is told an address: in clear, or as the first digits of its hash, which many addresses share. */
export const DISCLOSURE_FORMS = ["address", "hash_prefix"] as const;
export type DisclosureForm = (typeof DISCLOSURE_FORMS)[number];
