import type { Mac } from "../../shared/secrets.ts";
import { routesByContact } from "../contacts/contact.ts";
import type { Prepared } from "../delivery/prepared.ts";
import { messageOf } from "../messages/message.ts";
import { summaryContent } from "../messages/summary_message.ts";
import type { Contact, ContactUses, Delivery, StoreAndClock, SummaryFactsOf, Texts } from "../ports.ts";
import { isYear, rangeOf } from "./summary.ts";
import { summaryToken } from "./summary_link.ts";

type Needs = StoreAndClock &
  Texts & { summaryFacts: SummaryFactsOf; contactUses: ContactUses; sources: string[]; mac: Mac };

export type PrepareSummary = (delivery: Delivery, accountId: string, month: string) => Promise<Prepared>;

/** Prepares a summary from current data, if it is still wanted. */
export function summaryPreparer(needs: Needs): PrepareSummary {
  const { transaction, summaryFacts, contactUses, translate, publicUrl, sources, mac, now } = needs;

  /** Contacts that alerts may not reach, among those that are used for alerts. */
  async function troubledOf(accountId: string): Promise<Contact[]> {
    const contacts = await transaction((store) => store.contacts.list(accountId));
    const routesTo = routesByContact(await contactUses.of(accountId));
    const isTroubled = ({ state }: Contact) => state === "broken" || state === "unconfirmed";
    return contacts.filter((contact) => isTroubled(contact) && routesTo(contact).length > 0);
  }

  return async function prepareSummary(delivery, accountId, month) {
    const every = isYear(month) ? "year" : "month";
    const wanted = await transaction(({ summaries }) => summaries.find(accountId));
    if (wanted?.every !== every) return { cancelled: "unsubscribed" };
    const facts = await summaryFacts.of(accountId, rangeOf(month));
    const troubled = await troubledOf(accountId);
    const { language } = delivery;
    const token = summaryToken(mac, accountId, every);
    const stopUrl = `${publicUrl}/${language}/manage-contact#t=${token}`;
    const options = { translate, language, publicUrl, stopUrl, sources, now: now() };
    const write = () => ({
      ...messageOf(delivery, summaryContent({ month, facts, troubled }, options)),
      oneClickUrl: `${publicUrl}/u/${token}`,
    });
    return { write, lastResort: true };
  };
}
