import * as v from "valibot";

/** How an address is sent to a source: in clear text, or as the first digits of its hash, which many addresses share. */
export const DISCLOSURE_FORMS = ["address", "hash_prefix"] as const;
export type DisclosureForm = (typeof DISCLOSURE_FORMS)[number];

/** That sources were told an address: in which form, when first and last (ISO 8601), and how often. */
export const toldList = v.array(
  v.object({
    source: v.string(),
    form: v.picklist(DISCLOSURE_FORMS),
    firstAt: v.string(),
    lastAt: v.string(),
    times: v.number(),
  }),
);
export type Told = v.InferOutput<typeof toldList>[number];
