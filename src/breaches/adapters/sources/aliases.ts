import type { FoundByAlias } from "../../ports.ts";

const LONGEST_ALIAS = 64;
/** No space, control, private or unassigned character, and no half of one. */
const ALIAS = /^[^\s\p{C}@]+$/u;

export type Aliases = Omit<FoundByAlias, "kind">;

/** The part of an address before the "@", in lower case; undefined when it is none. */
function aliasOf(typed: string): string | undefined {
  const alias = typed.trim().toLowerCase();
  return alias.length <= LONGEST_ALIAS && ALIAS.test(alias) ? alias : undefined;
}

/**
 * Collects what was found by alias, each once. An answer has up to a hundred thousand addresses, but few different names, so that
 * each is read once.
 */
export function aliasesBy(read: (value: unknown) => string | undefined) {
  const found = new Map<string, Set<string>>();
  const known = new Map<unknown, string | undefined>();
  let leftOut = 0;

  function readOnce(typed: unknown): string | undefined {
    if (!known.has(typed)) known.set(typed, read(typed));
    return known.get(typed);
  }

  return {
    leaveOut(): void {
      leftOut += 1;
    },
    add(typedAlias: string, typedValues: unknown[]): void {
      const alias = aliasOf(typedAlias);
      const values = typedValues.map(readOnce).filter((value) => value !== undefined);
      const isWhole = alias !== undefined && values.length === typedValues.length && values.length > 0;
      if (!isWhole) leftOut += 1;
      if (alias === undefined || values.length === 0) return;
      const all = found.get(alias) ?? new Set();
      for (const value of values) all.add(value);
      found.set(alias, all);
    },
    /** Undefined if something is left out and nothing is readable, as a domain must not seem safe then. */
    all(): Aliases | undefined {
      if (found.size === 0 && leftOut > 0) return undefined;
      return { byAlias: new Map([...found].map(([alias, values]) => [alias, [...values]])), leftOut };
    },
  };
}
