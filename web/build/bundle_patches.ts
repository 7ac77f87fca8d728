import type { Plugin } from "vite";

/** Replaces exactly one place of a package's source; a build that no longer finds it must not pass. */
export function replaceOnce(code: string, before: string | RegExp, after: string): string {
  const changed = code.replace(before, after);
  if (changed === code) throw new Error(`Cannot find ${before} in a package, look at its new version`);
  return changed;
}

/** What such a call makes is left out where nobody uses it. */
export const PURE = [
  ...["createFormattedComponent", "createFormattedDateTimePartsComponent"],
  ...["forwardRef", "React.forwardRef", "React$1.forwardRef"],
];

/** Takes out of packages what nothing here uses, and what the build cannot know to be unused. */
export function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    apply: "build",
    transform(code, id) {
      if (!/node_modules\/(react-router|react-intl|@mantine)\//.test(id)) return undefined;
      // Names of components are for tools of developers; what has one counts as used.
      const nameless = code.replaceAll(/^\s*[\w$]+\.displayName = .*;$/gm, "");
      // Links fetch pages ahead only within the framework that the router can be.
      const ahead = "React$1.createElement(PrefetchPageLinks, { page: href })";
      const isLink = id.endsWith("/production/lib/dom/lib.js");
      return { code: isLink ? replaceOnce(nameless, ahead, "null") : nameless, map: null };
    },
  };
}
