/** A test by its file (below `test/`) and its title, or an unambiguous part of it. */
export type Proof = readonly [file: string, title: string];

/** The verdict on one requirement: exactly one of these. */
export type Verdict =
  | { kind: "proof"; tests: readonly Proof[] }
  /** The product has nothing that the requirement applies to. */
  | { kind: "none"; says: string }
  /** The product deviates or does less, with a reason. */
  | { kind: "deviation"; says: string };

/** One requirement of OWASP ASVS 5.0.0 by its number, summarised in our own words. */
export type Row = { id: string; level: 1 | 2; about: string; verdict: Verdict };

export const row = (id: string, level: 1 | 2, about: string, verdict: Verdict): Row => ({ id, level, about, verdict });
export const by = (...tests: Proof[]): Verdict => ({ kind: "proof", tests });
export const none = (says: string): Verdict => ({ kind: "none", says });
export const deviates = (says: string): Verdict => ({ kind: "deviation", says });
