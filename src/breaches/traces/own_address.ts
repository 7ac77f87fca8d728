import type { BreachDeps } from "../ports.ts";

/** Whether the address is the one that the account has proven to be its own. */
export async function ownsAddress(
  { accounts }: Pick<BreachDeps, "accounts">,
  accountId: string,
  address: string | undefined,
): Promise<boolean> {
  const account = await accounts.of(accountId);
  return account?.verified === true && account.email === address;
}
