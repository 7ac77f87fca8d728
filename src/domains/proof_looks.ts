import { pipeline } from "../shared/pipeline.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import type { ClaimChanges } from "./claim_changes.ts";
import { type Domain, isHeld, type Proof, proofValue } from "./domain.ts";
import { findLocked } from "./locked.ts";
import type { DomainDeps, ProofLook, VisibleProof } from "./ports.ts";
import type { ProofCodes } from "./proof_codes.ts";

/** Between two looks that the administrator asks for. */
const LOOK_EVERY_MS = 10_000;
/** Proofs that the job looks for at the same time, as a silent server takes ten seconds or more. */
export const PROOFS_AT_ONCE = 32;
/** A look of the job has ended by then, or its process has. */
const LEASE_MS = 300_000;

export type CheckAnswer = { state: Domain["state"]; found: boolean; reason: string | null };

/** Looks for proofs, because the administrator asks or because they are due. */
export function proofLooks(
  { transaction, proofs, now, report }: DomainDeps,
  { conclude, mailCode }: Pick<ClaimChanges & ProofCodes, "conclude" | "mailCode">,
) {
  const looked = (domain: Domain, proof: VisibleProof): Promise<ProofLook> =>
    proofs.look(domain.name, proof, proofValue(domain.token));

  /** The monthly look, and those that follow when the proof is missing. */
  async function lookOnce(domain: Domain): Promise<void> {
    const { proof } = domain;
    if (isVisible(proof)) {
      await conclude(domain, await looked(domain, proof));
      return;
    }
    // The code of an earlier mail was not typed in time.
    if (domain.state === "failing" || domain.codeHash !== undefined) await conclude(domain, { kind: "missing" });
    else if (domain.state !== "pending") {
      const sent = await mailCode(domain);
      if (!sent.ok) await conclude(domain, { kind: "unreachable", reason: sent.code });
    }
  }

  /** Undefined when another process has taken it. */
  function take({ id, name }: Domain): Promise<Domain | undefined> {
    return transaction(async ({ domains }) => {
      await domains.lockName(name);
      const found = await domains.findById(id);
      if (!found?.dueAt || found.dueAt > now()) return undefined;
      const taken = { ...found, dueAt: new Date(now().getTime() + LEASE_MS), version: found.version + 1 };
      return (await domains.save(taken)) ? taken : undefined;
    });
  }

  async function takeDue(limit: number): Promise<Domain[]> {
    const except = queue.underWay().map(({ name }) => name);
    const due = await transaction(({ domains }) => domains.listDue(now(), { limit, except }));
    const taken: Domain[] = [];
    for (const domain of due) {
      const one = await take(domain);
      if (one) taken.push(one);
    }
    return taken;
  }

  const queue = pipeline<Domain, never>({
    lanes: [{ claim: takeDue, atOnce: () => PROOFS_AT_ONCE }],
    work: (domain) =>
      lookOnce(domain).then(
        () => undefined,
        (error: unknown) => void report(error, { job: "domain-proofs", domain: domain.id }),
      ),
    now,
  });

  /** Counts a look that the administrator asks for; only one of several concurrent ones may begin. */
  function claimLook(
    accountId: string,
    id: string,
  ): Promise<Result<{ domain: Domain; proof: VisibleProof }, "NOT_FOUND" | "INVALID_INPUT" | "RATE_LIMITED">> {
    return transaction(async (store) => {
      const { domains } = store;
      const found = await findLocked(store, accountId, id);
      if (!found) return fail("NOT_FOUND");
      const { proof, lookedAt } = found;
      if (!isVisible(proof)) return fail("INVALID_INPUT");
      const waitMs = lookedAt ? lookedAt.getTime() + LOOK_EVERY_MS - now().getTime() : 0;
      const domain = { ...found, lookedAt: now(), version: found.version + 1 };
      if (waitMs > 0 || !(await domains.save(domain)))
        return fail("RATE_LIMITED", { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
      return ok({ domain, proof });
    });
  }

  return {
    /** Looks for the proof now, because the administrator asks. */
    async checkDomain(
      accountId: string,
      id: string,
    ): Promise<Result<CheckAnswer, "NOT_FOUND" | "INVALID_INPUT" | "RATE_LIMITED">> {
      const claimed = await claimLook(accountId, id);
      if (!claimed.ok) return claimed;
      const { domain, proof } = claimed.value;
      const look = await looked(domain, proof);
      // An administrator who looks too early loses nothing.
      const isHarmless = look.kind !== "found" && (isHeld(domain) || domain.state === "waiting");
      const next = isHarmless ? domain : ((await conclude(domain, look)) ?? domain);
      const reason = look.kind === "unreachable" ? look.reason : null;
      return ok({ state: next.state, found: look.kind === "found", reason });
    },

    /** The job: looks for the proofs that are due, until none is or `isOver`. Returns their number. */
    lookForProofs: (isOver?: () => boolean): Promise<number> => queue.run(isOver),
  };
}

function isVisible(proof: Proof): proof is VisibleProof {
  return proof !== "mail";
}
