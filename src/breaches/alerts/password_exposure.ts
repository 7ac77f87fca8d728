import { dataClassKey } from "../../shared/breach.ts";
import type { Breach } from "../catalogue/breach.ts";
import type { BreachDeps } from "../ports.ts";

const PASSWORDS = ["passwords", "historical-passwords"];

/** Whether the breach contains passwords, or everything that was typed on an infected device. */
export function exposesPasswords({ dataClasses, flags }: Pick<Breach, "dataClasses" | "flags">): boolean {
  return flags.includes("stealerLog") || dataClasses.some((label) => PASSWORDS.includes(dataClassKey(label)));
}

/** What an account's own alerts say of one address. */
export function leaks({ transaction }: BreachDeps) {
  return {
    /** Whether passwords of the address have leaked, according to the account's own alerts only. */
    leaksPasswords(accountId: string, address: string): Promise<boolean> {
      return transaction(async ({ alerts, breaches }) => {
        const names = await alerts.listBreachNames(accountId, address);
        return (await breaches.listByNames(names)).some(exposesPasswords);
      });
    },
  };
}
