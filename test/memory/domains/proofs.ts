import type { DomainProofs, ProofLook, VisibleProof } from "../../../src/domains/proof_ports.ts";

export type MemoryDomainProofs = DomainProofs & {
  /** What is published, by domain and kind of proof. */
  readonly published: Map<`${VisibleProof} ${string}`, string>;
  /** Looks at this domain end like this until told otherwise; undefined ends that. */
  failAt(domain: string, look: Extract<ProofLook, { kind: "unreachable" }> | undefined): void;
  /** All looks so far, in order. */
  readonly looks: readonly `${VisibleProof} ${string}`[];
};

/** Proofs in a map, without a network. */
export function memoryDomainProofs(): MemoryDomainProofs {
  const published: MemoryDomainProofs["published"] = new Map();
  const failures = new Map<string, ProofLook>();
  const looks: `${VisibleProof} ${string}`[] = [];
  return {
    published,
    looks,
    failAt(domain, look) {
      if (look) failures.set(domain, look);
      else failures.delete(domain);
    },
    async look(domain, proof, value) {
      looks.push(`${proof} ${domain}`);
      return failures.get(domain) ?? { kind: published.get(`${proof} ${domain}`) === value ? "found" : "missing" };
    },
  };
}
