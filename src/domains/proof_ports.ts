/**
 * Where a domain's proof is looked for. `dns`: a TXT record at `_breachbell.<domain>`; `file`: a line of
 * `https://<domain>/.well-known/breachbell.txt`; `meta`: a `<meta name="breachbell-verification">` of `https://<domain>/`.
 */
export const VISIBLE_PROOFS = ["dns", "file", "meta"] as const;
export type VisibleProof = (typeof VISIBLE_PROOFS)[number];

/** What is published: `breachbell-verification=<token>`; the content of the meta tag is the token alone. */
export const PROOF_NAME = "breachbell-verification";

export type ProofLook =
  | { kind: "found" }
  /** A conclusive answer without the value: NXDOMAIN, no such record, 404, a page without it, a redirect to another host. */
  | { kind: "missing" }
  /**
   * No statement about the proof: a time-out, a server failure (SERVFAIL, 5xx, 429), a refusal (401, 403), a private address.
   * `reason` never quotes what the server sent.
   */
  | { kind: "unreachable"; reason: string };

/** Looks for the proof of a domain (ASCII, lower case). */
export type DomainProofs = {
  /** `value` is `breachbell-verification=<token>`, for every kind of proof. */
  look(domain: string, proof: VisibleProof, value: string): Promise<ProofLook>;
};
