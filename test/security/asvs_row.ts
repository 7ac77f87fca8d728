/** A test by its file (below `test/`) and its title, or a part of one that says which. */
export type Proof = readonly [file: string, title: string];

/** What there is to say about one requirement: one of these, never two. */
export type Verdict =
  | { kind: "proof"; tests: readonly Proof[] }
  /** The product has nothing that it could be about. */
  | { kind: "none"; says: string }
  /** We do otherwise, or less, and say why. */
  | { kind: "deviation"; says: string };

/** One requirement of OWASP ASVS 5.0.0, by its number there; what it is about is told in our own words. */
export type Row = { id: string; level: 1 | 2; about: string; verdict: Verdict };

export const row = (id: string, level: 1 | 2, about: string, verdict: Verdict): Row => ({ id, level, about, verdict });
export const by = (...tests: Proof[]): Verdict => ({ kind: "proof", tests });
export const none = (says: string): Verdict => ({ kind: "none", says });
export const deviates = (says: string): Verdict => ({ kind: "deviation", says });
