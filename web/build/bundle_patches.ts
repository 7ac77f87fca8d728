import type { Plugin } from "vite";

/**
 * Replaces exactly one occurrence in a package's source; throws if it is missing, so that an update of the package
 * cannot pass unnoticed.
 */
export function replaceOnce(code: string, before: string | RegExp, after: string): string {
  const changed = code.replace(before, after);
  if (changed === code) throw new Error(`Cannot find ${before} in a package, look at its new version`);
  return changed;
}

/** Calls that have no side effects, so that unused results can be removed (tree shaking). */
export const PURE = [
  ...["createFormattedComponent", "createFormattedDateTimePartsComponent"],
  ...["forwardRef", "React.forwardRef", "React$1.forwardRef"],
];

/** Removes code from packages that is unused here, but that the bundler cannot prove to be unused. */
export function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    apply: "build",
    transform(code, id) {
      if (!/node_modules\/(react-router|react-intl|@mantine)\//.test(id)) return undefined;
      // Assigning displayName, which only developer tools read, would keep a component in the bundle.
      const nameless = code.replaceAll(/^\s*[\w$]+\.displayName = .*;$/gm, "");
      // Links prefetch pages only in React Router's framework mode.
      const ahead = "React$1.createElement(PrefetchPageLinks, { page: href })";
      const isLink = id.endsWith("/production/lib/dom/lib.js");
      return { code: isLink ? replaceOnce(nameless, ahead, "null") : nameless, map: null };
    },
  };
}
