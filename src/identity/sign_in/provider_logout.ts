import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import type { IdentityDeps } from "../ports.ts";
import { countersOf } from "./attempts.ts";
import { providerNames } from "./provider_names.ts";

/** Single logout: the provider says that a person logged out there. */
export function providerLogout(deps: IdentityDeps) {
  const { transaction, providers, mac, now } = deps;
  const record = auditor(deps);
  const { recordedAs } = providerNames(deps);

  return {
    /** Ends the sessions that a logout token names, of this provider only. A token counts once. */
    async endByLogoutToken(
      name: string,
      token: string,
    ): Promise<Result<undefined, "NOT_FOUND" | "SIGNATURE_INVALID" | "PROVIDER_UNAVAILABLE">> {
      const provider = providers.find((one) => one.name === name);
      if (!provider) return fail("NOT_FOUND");
      const read = await provider.readLogoutToken(token);
      if (!read.ok) return read;
      const { id, subject, sid } = read.value;
      return transaction<Result<undefined, "SIGNATURE_INVALID">>(async (store) => {
        const used = await countersOf(store.attempts, mac, now()).count("logoutToken", `${provider.key} ${id}`);
        if (used > 0) return fail("SIGNATURE_INVALID");
        const accounts = await store.sessions.endByProvider({ provider: provider.key, subject, sid });
        const detail = { provider: recordedAs(provider.key) };
        for (const accountId of accounts) await record(store, "signed_out_at_provider", { accountId, detail });
        return ok();
      });
    },
  };
}
