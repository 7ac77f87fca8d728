import sanitizeHtml from "sanitize-html";
import { secureLink } from "../../catalogue/secure_link.ts";

const TAGS = ["a", "em", "strong", "b", "i", "p", "br", "ul", "ol", "li"];
const LONGEST = 20_000;
const DEEPEST = 10;
const REL = "noopener noreferrer nofollow";

/** Sanitizes descriptions by an allow-list: other tags are removed but their text kept, except for scripts and styles. */
export const sanitizedDescriptions = () => ({
  html: (source: string): string =>
    sanitizeHtml(source.slice(0, LONGEST), {
      allowedTags: TAGS,
      allowedAttributes: { a: ["href", "rel", "target"] },
      allowedSchemes: ["https"],
      allowProtocolRelative: false,
      nestingLimit: DEEPEST,
      transformTags: {
        a(_, { href }) {
          // URLs contain no spaces: whatever follows one is due to a missing quotation mark.
          const link = secureLink(href?.trim().split(/\s/)[0]);
          return { tagName: "a", attribs: link === undefined ? {} : { href: link, rel: REL, target: "_blank" } };
        },
      },
      // Links without a target are removed, but their text is kept.
      exclusiveFilter: ({ tag, attribs }) => (tag === "a" && !("href" in attribs) ? "excludeTag" : false),
    }).trim(),
});
