import type { IdentityDeps, IdentityStore } from "../ports.ts";

const CODES = 10;
const GROUP = 5;

/** Formats a code for people. */
function written(code: string): string {
  return `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;
}

/** Recovery codes for a lost phone or key. Only their keyed hashes are stored. */
export function recoveryCodes({ mac, newRecoveryCode }: Pick<IdentityDeps, "mac" | "newRecoveryCode">) {
  const macOf = (accountId: string, code: string) => mac("recovery-code", `${accountId}:${code}`);
  return {
    /** Replaces the former codes. This is the only time that they exist in plain text. */
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
