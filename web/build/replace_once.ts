/**
 * Replaces exactly one occurrence in a package's source; throws if it is missing, so that an update of the package
 * cannot pass unnoticed.
 */
export function replaceOnce(code: string, before: string | RegExp, after: string): string {
  const changed = code.replace(before, after);
  if (changed === code) throw new Error(`Cannot find ${before} in a package, look at its new version`);
  return changed;
}
