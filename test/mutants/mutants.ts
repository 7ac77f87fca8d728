import { DOMAIN_MUTANTS } from "./domain_mutants.ts";
import { IDENTITY_MUTANTS } from "./identity_mutants.ts";
import type { Mutant } from "./mutant.ts";
import { OTHER_MUTANTS } from "./other_mutants.ts";

/** Hand-picked: lines that could be lost while changing something else. */
export const MUTANTS: Mutant[] = [...IDENTITY_MUTANTS, ...OTHER_MUTANTS, ...DOMAIN_MUTANTS];
