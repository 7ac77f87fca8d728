import sanitizeHtml from "sanitize-html";
import { secureLink } from "../../catalogue/secure_link.ts";

const TAGS = ["a", "em", "strong", "b", "i", "p", "br", "ul", "ol", "li"];
const LONGEST = 20_000;
const DEEPEST = 10;
const REL = "noopener noreferrer nofollow";
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** Sanitizes descriptions by an allow-list: other tags are removed but their text kept, except for scripts and styles. */
export function sanitizedDescriptions() {
  function html(source: string): string {
    return sanitizeHtml(source.slice(0, LONGEST), {
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
    }).trim();
  }
  return {
    html,
    /** Plain text, with one line for each paragraph or list item. */
    text: (source: string) =>
      html(source)
        .replaceAll(/<br \/>|<\/(?:p|li)>/g, "\n")
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
        .replaceAll(/[^\S\n]+/g, " ")
        .replaceAll(/ *\n[ \n]*/g, "\n")
        .trim(),
  };
}
