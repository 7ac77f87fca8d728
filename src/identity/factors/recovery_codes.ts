import type { IdentityDeps, IdentityStore } from "../ports.ts";

const CODES = 10;
const GROUP = 5;

/** As people read it. */
function written(code: string): string {
  return `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;
}

/** Codes for the day on which the phone or the key is lost. Of each only a keyed hash is stored. */
export function recoveryCodes({ mac, newRecoveryCode }: Pick<IdentityDeps, "mac" | "newRecoveryCode">) {
  const macOf = (accountId: string, code: string) => mac("recovery-code", `${accountId}:${code}`);
  return {
    /** New ones in place of the former. In the clear they exist only in this answer. */
    async make(store: Pick<IdentityStore, "recoveryCodes">, accountId: string): Promise<string[]> {
      const codes = Array.from({ length: CODES }, newRecoveryCode);
      const macs = codes.map((code) => macOf(accountId, code));
      await store.recoveryCodes.replaceAll(accountId, macs);
      return codes.map(written);
    },

    /** True once for each code. */
    use: (store: Pick<IdentityStore, "recoveryCodes">, accountId: string, code: string) =>
      store.recoveryCodes.use(accountId, macOf(accountId, code)),
  };
}
