import type { Plugin } from "vite";
import { replaceOnce } from "./slim.ts";

/** Where Mantine makes its own style elements: by components, and by hand. */
const COMPONENT = /@mantine\/core\/esm\/.*\/(InlineStyles|MantineClasses|MantineCssVariables)\.mjs$/;
const BY_HAND = /@mantine\/core\/esm\/.*\/use-mantine-color-scheme\.mjs$/;

/** The files of Mantine that `styleAsText` is for. */
export const MAKES_STYLES = new RegExp(`${COMPONENT.source}|${BY_HAND.source}`);

/** Has a style element of Mantine's filled with text, not with markup, which the policy takes from nobody. */
export function styleAsText(code: string, id: string): string {
  if (BY_HAND.test(id)) return replaceOnce(code, "style.innerHTML = ", "style.textContent = ");
  return replaceOnce(code, /dangerouslySetInnerHTML: \{ __html: (.*) \}$/m, "children: $1");
}

export function stylesAsText(): Plugin {
  return {
    name: "styles-as-text",
    apply: "build",
    enforce: "pre",
    transform: (code, id) => (MAKES_STYLES.test(id) ? { code: styleAsText(code, id), map: null } : undefined),
  };
}
