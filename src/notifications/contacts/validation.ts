import type { ContactAddress } from "../../shared/contacts.ts";
import type { Mac } from "../../shared/secrets.ts";
import type { Transaction } from "../../shared/transaction.ts";
import type { ContactCheck, NotificationStore, Report, Senders, StoreAndClock } from "../ports.ts";
import { canonical, DAY_MS, sameAddress } from "./contact.ts";

const HOUR_MS = 60 * 60_000;
const KEPT_MS = 7 * DAY_MS;
/** Providers block clients that check many invalid contacts. */
const CHECKS_PER_HOUR = 20;

/** Results of the providers' checks, by contact value. */
export type Findings = Map<string, ContactCheck>;

export type MayCheck = (accountId: string) => Promise<boolean>;
export type FindingsOf = (accountId: string, addresses: ContactAddress[]) => Promise<Findings>;

/** Whether the account may have another contact checked now. Counted before checking, as requests can be concurrent. */
export function checkLimit({ transaction, mac, now }: StoreAndClock & { mac: Mac }): MayCheck {
  return (accountId) =>
    transaction(async ({ contacts }) => {
      const at = now().getTime();
      const mark = mac("contact_check", accountId);
      if ((await contacts.countConfirmations(mark, new Date(at - HOUR_MS))) >= CHECKS_PER_HOUR) return false;
      await contacts.addConfirmation(mark, now(), new Date(at - KEPT_MS));
      return true;
    });
}

type Needs = {
  transaction: Transaction<NotificationStore>;
  senders: Senders;
  mayCheck: MayCheck;
  report: Report;
};

/** Has the providers check contacts that are new to the account; outside of transactions. */
export function contactFindings({ transaction, senders, mayCheck, report }: Needs): FindingsOf {
  return async function findingsOf(accountId, addresses) {
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
