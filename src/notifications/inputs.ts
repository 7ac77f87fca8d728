import * as v from "valibot";

/** A link's token, as the page that the link opens posts it. */
export const linkInput = v.strictObject({
  token: v.pipe(v.string("LINK_INVALID"), v.minLength(1, "LINK_INVALID"), v.maxLength(200, "LINK_INVALID")),
});
