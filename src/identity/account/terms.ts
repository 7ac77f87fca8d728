import { fail, ok, type Result } from "../../shared/result.ts";
import type { AcceptTermsInput } from "../inputs.ts";
import type { Client, IdentityDeps, IdentityStore } from "../ports.ts";
import { auditor } from "./audit.ts";

/** Whether an account has accepted the current terms. */
export type TermsStatus = {
  /** The version in force. */
  current: string;
  /** The last accepted version; null where that is unknown. */
  accepted: string | null;
};

/** The account's acceptance of the terms. */
export async function standingOf(
  { acceptances }: Pick<IdentityStore, "acceptances">,
  accountId: string,
  current: string,
): Promise<TermsStatus> {
  const accepted = (await acceptances.list(accountId)).map(({ version }) => version);
  return { current, accepted: accepted.includes(current) ? current : (accepted[0] ?? null) };
}

/** Acceptance of changed terms. Nothing depends on it: tracking and alerts continue without an answer. */
export function termsAcceptance(deps: IdentityDeps) {
  const { transaction, termsVersion, now } = deps;
  const record = auditor(deps);

  return {
    /** Idempotent; the first acceptance counts. A page that shows another version than the current one has to be reloaded. */
    acceptTerms(
      accountId: string,
      { version }: AcceptTermsInput,
      client: Client,
    ): Promise<Result<TermsStatus, "NOT_FOUND" | "TERMS_CHANGED">> {
      return transaction(async (store) => {
        if (version !== termsVersion) return fail("TERMS_CHANGED");
        if (!(await store.users.findForUpdate(accountId))) return fail("NOT_FOUND");
        if (await store.acceptances.add({ accountId, version, acceptedAt: now() }))
          await record(store, "terms_accepted", { accountId, client, detail: { version } });
        return ok(await standingOf(store, accountId, termsVersion));
      });
    },
  };
}
