import sanitizeHtml from "sanitize-html";
import { secureLink } from "../../catalogue/secure_link.ts";

const TAGS = ["a", "em", "strong", "b", "i", "p", "br", "ul", "ol", "li"];
const LONGEST = 20_000;
const DEEPEST = 10;
const REL = "noopener noreferrer nofollow";
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** Descriptions by an allow-list: what is not on it goes, its words stay, and those of scripts and styles go along. */
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
          // An address has no spaces: what follows one lost its quotation mark.
          const link = secureLink(href?.trim().split(/\s/)[0]);
          return { tagName: "a", attribs: link === undefined ? {} : { href: link, rel: REL, target: "_blank" } };
        },
      },
      // A link to nowhere: its words stay.
      exclusiveFilter: ({ tag, attribs }) => (tag === "a" && !("href" in attribs) ? "excludeTag" : false),
    }).trim();
  }
  return {
    html,
    /** The same words alone, for what shows no HTML; a paragraph or list item is a line. */
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
