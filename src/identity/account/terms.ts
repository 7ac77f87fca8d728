import { fail, ok, type Result } from "../../shared/result.ts";
import type { AcceptTermsInput } from "../inputs.ts";
import type { Client, IdentityDeps, IdentityStore } from "../ports.ts";
import { auditor } from "./audit.ts";

/** Whether an account has agreed to the terms of today. */
export type TermsStatus = {
  /** The version in force. */
  current: string;
  /** The last that was accepted; null where that is not known. */
  accepted: string | null;
};

/** How an account stands with the terms. */
export async function standingOf(
  { acceptances }: Pick<IdentityStore, "acceptances">,
  accountId: string,
  current: string,
): Promise<TermsStatus> {
  const accepted = (await acceptances.list(accountId)).map(({ version }) => version);
  return { current, accepted: accepted.includes(current) ? current : (accepted[0] ?? null) };
}

/** Agreeing to terms that have changed. Nothing waits for it: whoever has not answered is watched and told as before. */
export function termsAcceptance(deps: IdentityDeps) {
  const { transaction, termsVersion, now } = deps;
  const record = auditor(deps);

  return {
    /** Any number of times; the first counts. A page that shows another version than the one in force has to be loaded anew. */
    acceptTerms(
      accountId: string,
      { version }: AcceptTermsInput,
      client: Client,
    ): Promise<Result<TermsStatus, "NOT_FOUND" | "TERMS_CHANGED">> {
      return transaction(async (store) => {
        if (version !== termsVersion) return fail("TERMS_CHANGED");
        if (!(await store.users.hold(accountId))) return fail("NOT_FOUND");
        if (await store.acceptances.add({ accountId, version, acceptedAt: now() }))
          await record(store, "terms_accepted", { accountId, client, detail: { version } });
        return ok(await standingOf(store, accountId, termsVersion));
      });
    },
  };
}
