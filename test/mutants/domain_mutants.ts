import type { Mutant } from "./mutant.ts";

/** Whole domains: proof, and the say of the people. */
export const DOMAIN_MUTANTS: Mutant[] = [
  {
    name: "a domain is found without its owner",
    file: "src/domains/adapters/postgres/store.ts",
    find: `.from(rows)
        .where(and(eq(rows.id, id), eq(rows.accountId, accountId)));`,
    replace: `.from(rows)
        .where(eq(rows.id, id));`,
    tests: ["contracts/domain_store_test.ts"],
  },
  {
    name: "a second holder does not wait",
    file: "src/domains/domain.ts",
    find: "if (!contested) return proven;",
    replace: "return proven;",
    tests: ["domains/proving_test.ts"],
  },
  {
    name: "people are shown before they are told",
    file: "src/domains/finding.ts",
    find: 'return say !== "nothing" && (kind !== "person" || toldAt !== undefined);',
    replace: 'return say !== "nothing";',
    tests: ["domains/matrix_test.ts", "domains/people_test.ts"],
  },
  {
    name: "a link is believed without its seal",
    file: "src/domains/people.ts",
    find: "if (!found || hashToken(personToken(mac, found)) !== hashToken(token)) return undefined;",
    replace: "if (!found) return undefined;",
    tests: ["domains/people_test.ts"],
  },
  {
    name: "a plan that has ended still shows its domains",
    file: "src/domains/coverage.ts",
    find: "if (!active) return new Set();",
    replace: "",
    tests: ["domains/showing_test.ts"],
  },
];
