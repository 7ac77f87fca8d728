import type { HashToken, Mac } from "../../shared/secrets.ts";
import { canonical, type LinkFacts, masked } from "../contacts/contact.ts";
import { SUMMARY_EVERY, type SummaryEvery } from "../inputs.ts";
import type { Accounts, ContactState, StoreAndClock, Summary } from "../ports.ts";
import { duePeriod } from "./summary.ts";

const KINDS: Record<SummaryEvery, string> = { month: "summary", year: "yearly" };

/** Never expires and needs no row, as it only permits to stop and resume the summary. */
export function summaryToken(mac: Mac, accountId: string, every: SummaryEvery): string {
  return `${KINDS[every]}.${accountId}.${mac("monthly_summary", accountId)}`;
}

type Needs = StoreAndClock & { accounts: Accounts; hashToken: HashToken; mac: Mac };

export type SummaryLinks = ReturnType<typeof summaryLinks>;

/** The link in a summary, which can only turn the summary off and on. */
export function summaryLinks({ transaction, accounts, hashToken, mac, now }: Needs) {
  function linkOf(token: string): Pick<Summary, "accountId" | "every"> | undefined {
    const [kind, accountId = ""] = token.split(".");
    const every = SUMMARY_EVERY.find((one) => KINDS[one] === kind);
    // Compares hashes, as comparing tokens directly would leak through timing how much of a guess is right.
    const isOurs = every && hashToken(summaryToken(mac, accountId, every)) === hashToken(token);
    return isOurs ? { accountId, every } : undefined;
  }

  return {
    /** Undefined when it is no such link, or its account is deleted. */
    async inspect(token: string): Promise<LinkFacts | undefined> {
      const link = linkOf(token);
      const account = link && (await accounts.of(link.accountId));
      const own = account && canonical({ channel: "email", value: account.email });
      if (!link || !account || !own) return undefined;
      const wanted = await transaction(({ summaries }) => summaries.find(link.accountId));
      const state: ContactState = wanted?.every === link.every ? "active" : "unsubscribed";
      return { purpose: "summary", channel: "email", value: masked(own), state, language: account.language };
    },

    async setWanted(token: string, on: boolean): Promise<ContactState | undefined> {
      const link = linkOf(token);
      if (!link || !(await accounts.of(link.accountId))) return undefined;
      const { accountId, every } = link;
      await transaction(({ summaries }) =>
        on ? summaries.want({ ...link, through: duePeriod(every, now()) }) : summaries.drop(accountId),
      );
      return on ? "active" : "unsubscribed";
    },
  };
}
