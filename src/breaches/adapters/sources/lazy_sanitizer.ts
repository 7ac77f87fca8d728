import type { DescriptionText } from "../../catalogue/description_ports.ts";

/** Sanitised descriptions whose large package is read with the first one that somebody wants to see. */
export function descriptionsWhenAsked(): DescriptionText {
  return {
    async html(source) {
      const { sanitizedDescriptions } = await import("./sanitize_html.ts");
      return sanitizedDescriptions().html(source);
    },
  };
}
