import type { Plugin } from "vite";
import { replaceOnce } from "./replace_once.ts";

/** Mantine's modules that create style elements. */
export const MAKES_STYLES =
  /@mantine\/core\/esm\/.*\/(InlineStyles|MantineClasses|MantineCssVariables|use-mantine-color-scheme)\.mjs$/;

/** Makes Mantine fill a style element with textContent instead of innerHTML, which Trusted Types forbid. */
export function styleAsText(code: string): string {
  if (code.includes("style.innerHTML")) return replaceOnce(code, "style.innerHTML = ", "style.textContent = ");
  return replaceOnce(code, /dangerouslySetInnerHTML: \{ __html: (.*) \}$/m, "children: $1");
}

export function stylesAsText(): Plugin {
  return {
    name: "styles-as-text",
    apply: "build",
    enforce: "pre",
    transform: (code, id) => (MAKES_STYLES.test(id) ? { code: styleAsText(code), map: null } : undefined),
  };
}
