import type { ContactAddress } from "../../shared/contacts.ts";
import type { ContactCheck, NotificationDeps } from "../ports.ts";
import { canonical, DAY_MS, sameAddress } from "./contact.ts";

const HOUR_MS = 60 * 60_000;
const KEPT_MS = 7 * DAY_MS;
/** Providers block clients that check many invalid contacts. */
const CHECKS_PER_HOUR = 20;

/** Results of the providers' checks, by contact value. */
export type Findings = Map<string, ContactCheck>;

/** Whether the account may have another contact checked now. Counted before checking, as requests can be concurrent. */
export function checkLimit({ transaction, mac, now }: NotificationDeps) {
  return (accountId: string): Promise<boolean> =>
    transaction(async ({ contacts }) => {
      const at = now().getTime();
      const mark = mac("contact_check", accountId);
      if ((await contacts.countConfirmations(mark, new Date(at - HOUR_MS))) >= CHECKS_PER_HOUR) return false;
      await contacts.addConfirmation(mark, now(), new Date(at - KEPT_MS));
      return true;
    });
}

/** Has the providers check contacts that are new to the account; outside of transactions. */
export function contactFindings(deps: NotificationDeps) {
  const { transaction, senders, report } = deps;
  const mayCheck = checkLimit(deps);

  return async function findingsOf(accountId: string, addresses: ContactAddress[]): Promise<Findings> {
    const findings: Findings = new Map();
    const wanted = addresses
      .flatMap((address) => canonical(address) ?? [])
      .filter(({ channel }) => senders[channel]?.check !== undefined);
    if (wanted.length === 0) return findings;
    const known = await transaction(({ contacts }) => contacts.listAt(accountId, wanted));
    for (const address of wanted) {
      const { channel, value } = address;
      if (known.some((contact) => sameAddress(contact, address)) || !(await mayCheck(accountId))) continue;
      try {
        const finding = await senders[channel]?.check?.(value);
        if (finding) findings.set(value, finding);
      } catch (error) {
        report(error, { channel });
      }
    }
    return findings;
  };
}
