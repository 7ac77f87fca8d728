import { canonical, type LinkFacts, masked } from "../contacts/contact.ts";
import type { ContactState, NotificationDeps } from "../ports.ts";
import { dueMonth } from "./summary.ts";

const KIND = "summary";

/** Never expires and needs no row, as it only permits to stop and resume the monthly summary. */
export function summaryToken(mac: NotificationDeps["mac"], accountId: string): string {
  return `${KIND}.${accountId}.${mac("monthly_summary", accountId)}`;
}

/** The link in a monthly summary, which can only turn the summary off and on. */
export function summaryLinks({ transaction, accounts, hashToken, mac, now }: NotificationDeps) {
  function accountIdOf(token: string): string | undefined {
    const [kind, id] = token.split(".");
    // Compares hashes, as comparing tokens directly would leak through timing how much of a guess is right.
    return kind === KIND && id !== undefined && hashToken(summaryToken(mac, id)) === hashToken(token) ? id : undefined;
  }

  return {
    /** Undefined when it is no such link, or its account is deleted. */
    async inspect(token: string): Promise<LinkFacts | undefined> {
      const accountId = accountIdOf(token);
      const account = accountId === undefined ? undefined : await accounts.of(accountId);
      const own = account && canonical({ channel: "email", value: account.email });
      if (accountId === undefined || !account || !own) return undefined;
      const wanted = await transaction(({ summaries }) => summaries.find(accountId));
      const state: ContactState = wanted ? "active" : "unsubscribed";
      return { purpose: "summary", value: masked(own), state, language: account.language };
    },

    async setWanted(token: string, on: boolean): Promise<ContactState | undefined> {
      const accountId = accountIdOf(token);
      if (accountId === undefined || !(await accounts.of(accountId))) return undefined;
      await transaction(({ summaries }) =>
        on ? summaries.want({ accountId, through: dueMonth(now()) }) : summaries.drop(accountId),
      );
      return on ? "active" : "unsubscribed";
    },
  };
}
