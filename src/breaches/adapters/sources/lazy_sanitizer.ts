import type { DescriptionText } from "../../catalogue/description_ports.ts";

/** Loads the large sanitizer package with the first description that is shown. */
export function descriptionsWhenAsked(): DescriptionText {
  return {
    async html(source) {
      const { sanitizedDescriptions } = await import("./sanitize_html.ts");
      return sanitizedDescriptions().html(source);
    },
  };
}
